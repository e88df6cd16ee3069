import Bytes
import Database
import Services

/// Book lookups in a catalog: an edition with its work and authors by ISBN, a work by title and author, and
/// both by Open Library key.
final class CatalogBooks {
    private let edition: Statement
    private let work: Statement
    private let isbnOfWork: Statement
    private let titles: CatalogTitles

    init(_ connection: Connection, provider: Provider) throws(SQLiteError) {
        // One statement for both lookups: starting and ending a statement costs as much as half a B-tree
        // descent.
        edition = try connection.prepare(
            "SELECT e.work, e.body, w.body FROM edition e LEFT JOIN work w ON w.id = e.work WHERE e.isbn = ?")
        work = try connection.prepare("SELECT body FROM work WHERE id = ?")
        isbnOfWork = try connection.prepare("SELECT isbn FROM work_isbn WHERE work = ?")
        titles = try CatalogTitles(connection, provider: provider)
    }

    func answer(_ queries: BookQueries) throws(SQLiteError) -> BookAnswers {
        var answers = BookAnswers(arena: Arena(capacity: queries.queries.count * 512))
        answers.answers.reserveCapacity(queries.queries.count)
        answers.values.reserveCapacity(queries.queries.count * 16)
        for query in queries.queries {
            switch query {
            case .isbn(let isbn):
                try find(isbn, &answers)
            case .described(let description):
                try find(description, queries.arena, &answers)
            case .openLibrary(let work, let edition):
                try find(work: work, edition: edition, &answers)
            }
        }
        return answers
    }

    // MARK: By ISBN

    @inline(__always)
    private func find(_ isbn: ISBN, _ answers: inout BookAnswers) throws(SQLiteError) {
        edition.bind(1, isbn.value)
        guard try edition.step() else {
            answers.answers.append(BookAnswer(.notFound))
            return
        }
        let first = answers.values.count
        let number = edition.integer(0)
        var isValid = edition.withBytes(1) {
            PackedRecord.decode($0, into: &answers.arena, values: &answers.values)
        }
        // An edition can name a work that is not in the catalog.
        let isSynthetic = number == 0 && !answers.values[first...].contains { $0.field == .workKey }
        if number != 0 {
            let hasWork = edition.withBytes(2) {
                PackedRecord.decode($0, into: &answers.arena, values: &answers.values)
            }
            isValid = isValid && hasWork
        }
        edition.reset()
        finish(first, isValid, isSynthetic, &answers)
    }

    private func append(work number: Int64, _ answers: inout BookAnswers) throws(SQLiteError) -> Bool {
        work.bind(1, number)
        guard try work.step() else { return false }
        defer { work.reset() }
        return work.withBytes(0) { PackedRecord.decode($0, into: &answers.arena, values: &answers.values) }
    }

    private func finish(_ first: Int, _ isValid: Bool, _ isSynthetic: Bool, _ answers: inout BookAnswers) {
        guard isValid, first < answers.values.count else {
            answers.values.removeSubrange(first...)
            answers.answers.append(BookAnswer(.malformed))
            return
        }
        // A record begins with its key.
        answers.answers.append(
            BookAnswer(
                .found, record: answers.values[first].value, isSynthetic: isSynthetic,
                values: first..<answers.values.count))
    }

    // MARK: By key

    private func find(
        work number: Int64, edition: Int64?, _ answers: inout BookAnswers
    ) throws(SQLiteError) {
        if let edition, let isbn = try isbn(ofWork: number) {
            let (count, values) = (answers.answers.count, answers.values.count)
            try find(isbn, &answers)
            // The stored ISBN may belong to another edition of the work. Then answer with the work alone.
            let name = OpenLibraryKey(.edition, edition).name
            if answers.arena[answers.answers[count].record] == name { return }
            answers.answers.removeSubrange(count...)
            answers.values.removeSubrange(values...)
        }
        let first = answers.values.count
        if try append(work: number, &answers) {
            finish(first, true, false, &answers)
        } else {
            answers.answers.append(BookAnswer(.notFound))
        }
    }

    private func isbn(ofWork number: Int64) throws(SQLiteError) -> ISBN? {
        isbnOfWork.bind(1, number)
        defer { isbnOfWork.reset() }
        return try isbnOfWork.step() ? ISBN(String(isbnOfWork.integer(0))) : nil
    }

    /// Appends a work as an answer, together with the edition that has the ISBN, if one is given.
    func append(work number: Int64, isbn: Int64?, to answers: inout BookAnswers) throws(SQLiteError) {
        if let isbn = isbn.flatMap({ ISBN(String($0)) }) { return try find(isbn, &answers) }
        let first = answers.values.count
        let isValid = try append(work: number, &answers)
        finish(first, isValid, false, &answers)
    }

    // MARK: By title and author

    private func find(
        _ description: BookDescription, _ arena: Arena, _ answers: inout BookAnswers
    ) throws(SQLiteError) {
        switch try titles.find(description, in: arena) {
        case .nothing: answers.answers.append(BookAnswer(.notFound))
        case .ambiguous(let options):
            answers.options[answers.answers.count] = options
            answers.answers.append(BookAnswer(.ambiguous))
        case .work(let number):
            let first = answers.values.count
            let isValid = try append(work: number, &answers)
            // A work the user once chose may be missing from a newer catalog.
            if !isValid, description.chosen != nil { return answers.answers.append(BookAnswer(.notFound)) }
            finish(first, isValid, false, &answers)
        }
    }
}
