import Books
import Database
import Pipeline

/// The `errors` of a job's results: rejects and warnings about ISBNs, in input order, one at a time.
struct RecordErrors {
    private let job: Job
    private let question: Statement

    init(_ job: Job, in connection: Connection) throws(StageFailure) {
        self.job = job
        question = try connection.question(
            """
            SELECT file, row, field, value, message, 0, 0 FROM rejects WHERE job = ?1
            UNION ALL
            SELECT file, row, field, value, message, 1, number FROM notices WHERE job = ?1 AND code GLOB 'isbn*'
            ORDER BY 1, 2, 6, 7
            """)
        question.bind(1, job.id)
    }

    /// The next one; nil after the last.
    func next() throws(StageFailure) -> RecordError? {
        guard try question.next() else { return nil }
        // A reject names a value of any field: here is room for an ISBN only.
        let isOfISBN = question.integer(5) == 1 || question.string(2).lowercased().contains("isbn")
        return RecordError(
            row: Int(question.integer(1)), isbn: isOfISBN ? question.string(3) : "",
            error: question.string(4),
            file: job.fileName(Int(question.integer(0))))
    }
}
