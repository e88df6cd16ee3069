import Pipeline

/// The books of a job: one for each record that was stored or was there already, in input order, one at a time.
struct JobBooks {
    private let question: Statement
    private let contributors: ContributorReader
    /// Books that each provider gave the work of.
    private var given: [Provider: Int] = [:]

    init(_ job: Job, in connection: Connection) throws(StageFailure) {
        // In the order of the records' own key, and by row id from there: nothing is sorted, nothing is kept.
        question = try connection.question(
            """
            SELECT \(StoredBook.columns) FROM records r CROSS JOIN entries e ON e.id = r.entry
            CROSS JOIN editions d ON d.id = e.edition CROSS JOIN works w ON w.id = d.work
            WHERE r.job = ?1 ORDER BY r.file, r.row
            """)
        question.bind(1, job.id)
        contributors = try ContributorReader(connection)
    }

    /// The next book; nil after the last.
    mutating func next() throws(StageFailure) -> StoredBook? {
        guard try question.next() else { return nil }
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
