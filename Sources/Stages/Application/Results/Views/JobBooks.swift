import Books
import Database
import Pipeline

/// The books of a job: one for each record that was stored or was there already, in input order, one at a time.
struct JobBooks {
    private var records: RecordsOfJob
    private let question: Statement
    private let contributors: ContributorReader
    /// Books that each provider gave the work of.
    private var given: [Provider: Int] = [:]

    init(_ job: Job, in connection: Connection) throws(StageFailure) {
        // In the order of the records, and by row id from there: nothing is sorted, nothing is kept.
        records = try RecordsOfJob(job, in: connection)
        question = try connection.question(
            """
            SELECT \(StoredBook.columns) FROM entries e CROSS JOIN editions d ON d.id = e.edition
            CROSS JOIN works w ON w.id = d.work WHERE e.id = ?1
            """)
        contributors = try ContributorReader(connection)
    }

    /// The next book; nil after the last.
    mutating func next() throws(StageFailure) -> StoredBook? {
        while let record = try records.next() {
            question.bind(1, record.entry)
            defer { question.reset() }
            guard try question.next() else { continue }
            return try book()
        }
        return nil
    }

    /// The book that the question stands on.
    private mutating func book() throws(StageFailure) -> StoredBook {
        let book = StoredBook(question, authors: try contributors.authors(of: question.integer(0)))
        if let provider = book.work.primaryProvider { given[provider, default: 0] += 1 }
        return book
    }

    /// Who gave most of the works so far, the first in the order of providers where two gave as many; nil where
    /// nobody gave any.
    var mainProvider: Provider? {
        given.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}
