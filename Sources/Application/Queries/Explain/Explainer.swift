import Books
import Contract
package import Database
import Store
package import System

/// Explains books: `etl explain`.
package struct Explainer {
    /// Maximum number of editions and entries that an explanation shows.
    static let most = 100
    /// Maximum number of other jobs that a remark suggests.
    private static let maxOthers = 3

    private let connection: Connection

    private let library: String?

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - library: The library whose books are found, if it is private; nil for all.
    package init(_ connection: Connection, library: String? = nil) {
        self.connection = connection
        self.library = library
    }

    /// Explains the book that a query is about.
    ///
    /// - Parameter job: The job whose row is meant; nil for the newest. Rows only.
    /// - Throws: `.missing` with a suggestion if there is no such book, row or job; `.usage` for an
    ///   impossible ISBN.
    package func explain(
        _ query: BookReference, job: String? = nil, takesTitles: Bool = false
    ) throws(ETLError) -> Explanation {
        try connection.snapshot { () throws(ETLError) -> Explanation in
            let locator = try BookLocator(connection, library: library)
            switch query {
            case .impossibleISBN(let text, let fault):
                if let found = try locator.find(sourceID: text) { return try explain(found) }
                throw ETLError(
                    .usage, "`\(text)` is not a valid ISBN-10 or ISBN-13.", advice: Self.advice(text, fault))
            case .isbn(let isbn, let repair):
                guard var found = try locator.find(isbn) else {
                    throw ETLError(
                        .missing, "`\(isbn)` is a valid ISBN, but no book in the store has it.",
                        advice: """
                            \(UserCommand.jobs) lists the jobs. \(UserCommand.errors(job: nil)) lists rejected records.
                            """)
                }
                if let repair { found.remarks.append("\(repair.sentence) The number is \(isbn).") }
                return try explain(found)
            case .sourceID(let id):
                guard let found = try locator.find(sourceID: id) else {
                    throw ETLError(
                        .missing, "No entry in the store has the ID `\(id)`.",
                        advice:
                            "Use the ID that the exporting program gave the book, such as the Goodreads Book Id."
                    )
                }
                return try explain(found)
            case .key(let key):
                if let found = try locator.find(key: key) { return try explain(found) }
                let onRows = BookReference.adviceOnRows(key).map { UserText($0) }
                let titles =
                    try takesTitles && onRows == nil ? locator.titles(like: key, exactly: false) : nil
                if let only = titles?.only { return try explain(BookLocator.found(only, byTitle: key)) }
                let hint = try locator.hint(for: key).map { UserText($0) }
                throw ETLError(
                    .missing, "No book in the store has the key\(takesTitles ? " or title" : "") `\(key)`.",
                    advice: onRows ?? titles?.advice ?? hint
                        ?? "Specify\(takesTitles ? " a title," : "") an ISBN, row:N, id:ID with an ID such as the Goodreads Book Id, or a key from \(UserCommand.exportTable)."
                )
            case .row(let row, let file):
                let table = JobTable(connection)
                let meant = try table.existing(job)
                // The user who names a job means that one, so others are not suggested.
                let others = try job == nil ? self.others(than: meant, of: table.all(), having: row) : []
                return try explain(row: row, file: file, of: meant, others: others)
            }
        }
    }

    /// Advice for a number that is not an ISBN.
    private static func advice(_ text: String, _ fault: ISBNFault) -> UserText {
        if let right = ISBNCheckDigit.corrected(text) {
            return """
                The last digit does not fit the others. With the right check digit, the ISBN is \(right). Compare it \
                with the ISBN on the book.
                """
        }
        return fault.proposal.map { "Did you mean \($0)?" } ?? UserText(fault.reason.sentence)
    }

    // MARK: A row

    /// - Parameter others: Names of other jobs that have a record with this number.
    private func explain(
        row: Int, file: Int?, of job: Job, others: [String]
    ) throws(ETLError) -> Explanation {
        let files = try filesHaving(row: row, of: job)
        guard let index = file.map({ $0 - 1 }) ?? files.first, files.contains(index) else {
            throw ETLError(
                .missing, "Job `\(job.name)` has no row \(row)\(file.map { " in its file \($0)" } ?? "").",
                advice: others.first.map { "Job `\($0)` has a row \(row): use \(UserSetting.job) \($0)." }
                    ?? "Use the row number that a spreadsheet shows; header and blank lines count.")
        }
        let remarks =
            others.isEmpty
            ? []
            : [
                "This is row \(row) of the newest job, \(job.name). These jobs also have a row \(row): \(others.joined(separator: ", "))."
            ]
        guard file != nil || files.count == 1 else {
            let choices = files.map { "row:\($0 + 1):\(row) (\(job.fileName($0) ?? ""))" }
            throw ETLError(
                .missing, "Job `\(job.name)` has a row \(row) in \(files.count) files.",
                advice: "Specify one: \(choices.joined(separator: ", ")).")
        }
        if let reject = try reject(row: row, file: index, of: job) {
            var explanation = Explanation()
            explanation.reject = reject
            explanation.remarks = remarks
            return explanation
        }
        guard
            let query = try connection.row(
                "SELECT d.work, d.id FROM entries e JOIN editions d ON d.id = e.edition WHERE e.id = ?1",
                try record(row, file: index, of: job)?.entry)
        else {
            throw ETLError(
                .missing, "The store has no book for row \(row) of job `\(job.name)`.",
                advice: "Check the store with \(UserCommand.doctor).")
        }
        return try explain(
            .init(work: query.integer(0), editions: [query.integer(1)], remarks: remarks))
    }

    /// The names of other jobs that have a record with this number, newest first.
    private func others(
        than job: Job, of jobs: [Job], having row: Int
    ) throws(ETLError) -> [String] {
        var names: [String] = []
        for other in jobs where other.id != job.id && names.count < Self.maxOthers {
            if try !filesHaving(row: row, of: other).isEmpty { names.append(other.name) }
        }
        return names
    }

    private func filesHaving(row: Int, of job: Job) throws(ETLError) -> [Int] {
        var files: [Int] = []
        for index in job.inputs.indices {
            let isStored = try record(row, file: index, of: job) != nil
            let isRejected = try reject(row: row, file: index, of: job) != nil
            if isStored || isRejected { files.append(index) }
        }
        return files
    }

    private func record(_ row: Int, file: Int, of job: Job) throws(ETLError) -> NumberedOutcome? {
        try PackedOutcomesReader.record(row, file: file, of: job.id, in: connection)
    }

    private func reject(row: Int, file: Int, of job: Job) throws(ETLError) -> ListedError? {
        let errors = try ListedErrors(job, includesWarnings: false, at: (file, row), in: connection)
        return try errors.next()
    }

    // MARK: A book

    private func explain(_ found: BookLocator.Found) throws(ETLError) -> Explanation {
        var explanation = Explanation()
        explanation.remarks = found.remarks
        let people = try ContributorReader(connection).all(of: found.work)
        let editions = try found.editions.isEmpty ? self.editions(of: found.work) : found.editions
        let visits = RecordHistoryReader(connection)
        let entries = try visits.entries(of: Array(editions.prefix(Self.most)), atMost: Self.most)
        var parts = try PartReader(connection)
        explanation.work = try parts.work(
            found.work, authors: people.map(\.author.name), entries: entries.map(\.id))
        for id in editions.prefix(Self.most) {
            let own = entries.filter { $0.edition == id }.map(\.id)
            if let edition = try parts.edition(id, entries: own) { explanation.editions.append(edition) }
        }
        if editions.count > Self.most {
            explanation.remarks.append(
                "The work has \(editions.count) editions; the first \(Self.most) are shown.")
        }
        explanation.entries = try withRules(entries)
        explanation.records = try visits.visits(of: Set(entries.map(\.id)), atMost: Self.most)
        let origins = try AnswerOrigins(of: explanation, entries: entries.map(\.id), in: connection)
        let sources = try LineageSources(connection)
        for source in parts.sources {
            guard case .candidate(let id) = source, let answer = try sources.answer(id) else { continue }
            explanation.answers.append(try origins.completed(answer))
        }
        for person in people {
            explanation.authors.append(
                .init(
                    author: person.author, role: person.role, identification: person.identification,
                    wikidata: person.wikidata, cached: try origins.answer(toItem: person.wikidata)))
        }
        return explanation
    }

    /// Entries with the changes of the user's rules in their rows.
    private func withRules(
        _ entries: [RecordHistoryReader.FoundEntry]
    ) throws(ETLError) -> [Explanation.Entry] {
        guard let applied = try AppliedRules(connection) else { return entries.map(\.entry) }
        let cells = try EntryCells(connection)
        var all: [Explanation.Entry] = []
        for found in entries {
            var entry = found.entry
            if let rules = try applied.rules(ofEntry: found.id), let cells = try cells.cells(of: found.id) {
                entry.rules = AppliedRules.uses(of: rules, in: cells)
            }
            all.append(entry)
        }
        return all
    }

    private func editions(of work: Int64) throws(ETLError) -> [Int64] {
        let query = try connection.query(
            "SELECT id FROM editions WHERE \(EditionsOfWork.condition(work: "?1")) ORDER BY key, id", work)
        var ids: [Int64] = []
        while try query.next() { ids.append(query.integer(0)) }
        return ids
    }
}
