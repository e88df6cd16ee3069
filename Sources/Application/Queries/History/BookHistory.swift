import Books
import Contract
package import Database
import Store
package import System

/// Changes by jobs to one book, oldest first: `etl log BOOK`.
package struct BookHistory: Sendable {
    package private(set) var steps: [HistoryStep] = []
    /// Whether earlier changes are not known.
    package private(set) var isCut = false

    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - book: The book; not a row of a job.
    ///   - library: The library whose books are found, if it is private; nil for all.
    /// - Throws: `.missing` if no book has or had this name; `.usage` if it is the number of a row, or is not
    ///   valid.
    package init(
        _ connection: Connection, of book: BookReference, library: String? = nil
    ) throws(ETLError) {
        self = try connection.snapshot { () throws(ETLError) -> BookHistory in
            var history = BookHistory()
            try history.read(BookRows(book, of: library, in: connection), connection)
            return history
        }
    }

    private init() {}

    private mutating func read(_ rows: BookRows, _ connection: Connection) throws(ETLError) {
        let history = try RunHistory(connection)
        var runs: Set<Int64> = []
        for (table, ids) in rows.byTable {
            for id in ids { history.run(ofRow: id).map { _ = runs.insert($0.id) } }
            let list = ids.sorted().map { "\($0)" }.joined(separator: ", ")
            let images = try connection.query("SELECT run FROM \(table.images) WHERE id IN (\(list))")
            while try images.next() { runs.insert(images.integer(0)) }
        }
        for work in rows.works {
            let images = try connection.query(
                "SELECT run FROM \(JournaledTable.contributors.images) WHERE \(ContributorIDs.condition(work: "\(work)"))"
            )
            while try images.next() { runs.insert(images.integer(0)) }
        }
        let ofBook = history.runs.filter { runs.contains($0.id) }
        let jobs = Dictionary(try JobTable(connection).jobs(Set(ofBook.map(\.job))).map { ($0.id, $0) }) {
            first, _ in first
        }
        let selection: ChangedRows.Selection = [
            .work: rows.works, .edition: rows.editions, .entry: rows.entries,
        ]
        for run in ofBook {
            guard run.isKnown, let job = jobs[run.job] else {
                isCut = true
                continue
            }
            let interval = RunInterval(after: run.id - 1, through: run.id, of: history)
            var changes: [RowChange] = []
            try ChangedRows(in: interval, connection).visit(selection) { changes.append($0) }
            if !changes.isEmpty {
                steps.append(HistoryStep(job: job, startedAt: run.startedAt, changes: changes))
            }
        }
    }
}

/// The rows that are or were parts of a book.
private struct BookRows {
    var works: Set<Int64> = []
    var editions: Set<Int64> = []
    var entries: Set<Int64> = []

    var byTable: [(JournaledTable, Set<Int64>)] {
        [(.works, works), (.editions, editions), (.entries, entries)]
    }

    init(_ book: BookReference, of library: String?, in connection: Connection) throws(ETLError) {
        let locator = try BookLocator(connection, library: library)
        let (found, name) = try locator.find(book)
        if let found {
            works = [found.work]
        } else {
            // The book may have been removed.
            works = try Self.ids(
                """
                SELECT id FROM \(JournaledTable.works.images) WHERE key = ?1 AND \(locator.isFound("id"))
                UNION SELECT work FROM \(JournaledTable.editions.images) WHERE key = ?1 AND \(locator.isFound("work"))
                """, name, in: connection)
        }
        guard !works.isEmpty else {
            throw ETLError(
                .missing, "No book in the store has or had the name `\(name)`.",
                advice: "Specify an ISBN, id:ID, a key from \(UserCommand.exportTable), or a job.")
        }
        editions = try Self.editions(of: works, in: connection)
        // Works that were merged into it: former works of its editions that no longer exist.
        works.formUnion(
            try Self.ids(
                """
                SELECT work FROM \(JournaledTable.editions.images)
                WHERE id IN (\(Self.list(editions))) AND work NOT IN (SELECT id FROM works)
                """, in: connection))
        editions.formUnion(try Self.editions(of: works, in: connection))
        let ofEditions = "edition IN (\(Self.list(editions)))"
        entries = try Self.ids(
            """
            SELECT id FROM entries WHERE \(ofEditions)
            UNION SELECT id FROM \(JournaledTable.entries.images) WHERE \(ofEditions)
            """, in: connection)
    }

    /// The editions that works have or had.
    private static func editions(
        of works: Set<Int64>, in connection: Connection
    ) throws(ETLError) -> Set<Int64> {
        let isOfWorks = works.sorted().map { EditionsOfWork.condition(work: "\($0)") }.joined(
            separator: " OR ")
        return try ids(
            """
            SELECT id FROM editions WHERE \(isOfWorks)
            UNION SELECT id FROM \(JournaledTable.editions.images) WHERE work IN (\(list(works)))
            """, in: connection)
    }

    private static func list(_ ids: Set<Int64>) -> String {
        ids.sorted().map { "\($0)" }.joined(separator: ", ")
    }

    private static func ids(
        _ sql: String, _ key: String? = nil, in connection: Connection
    ) throws(ETLError) -> Set<Int64> {
        let query = try connection.query(sql)
        if let key { query.bind(1, key) }
        var ids: Set<Int64> = []
        while try query.next() { ids.insert(query.integer(0)) }
        return ids
    }
}
