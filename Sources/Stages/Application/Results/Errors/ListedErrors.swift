import Books
import Database
import Pipeline

/// The errors of a job in input order, one at a time.
struct ListedErrors {
    private let job: Job
    private let question: Statement

    /// - Parameters:
    ///   - includesWarnings: Whether notices about records that were kept are listed too.
    ///   - record: Index of the file and number of the one record that is asked for; nil for all. Rejects only.
    init(
        _ job: Job, includesWarnings: Bool, at record: (file: Int, row: Int)? = nil, in connection: Connection
    ) throws(StageFailure) {
        self.job = job
        let only = record.map { " AND file = \($0.file) AND row = \($0.row)" } ?? ""
        let rejects = """
            SELECT file, row, 0, 0, line, stage, field, value, code, message, raw, raw_length, NULL, byte
            FROM rejects WHERE job = ?1\(only)
            """
        let warnings = """
            SELECT n.file, n.row, 1, n.number, n.line, NULL, n.field, n.value, n.code, n.message, NULL, 0, n.entry,
                NULL
            FROM notices n WHERE n.job = ?1
            """
        question = try connection.question(
            (includesWarnings ? "\(rejects) UNION ALL \(warnings)" : rejects) + " ORDER BY 1, 2, 3, 4")
        question.bind(1, job.id)
    }

    /// The next one; nil after the last.
    func next() throws(StageFailure) -> ListedError? {
        guard try question.next() else { return nil }
        let file = Int(question.integer(0))
        return ListedError(
            kind: question.integer(2) == 0 ? .reject : .warning, row: Int(question.integer(1)),
            line: Int(question.integer(4)), byte: question.optionalInteger(13), fileIndex: file,
            file: job.fileName(file),
            stage: question.optionalString(5), field: question.optionalString(6),
            value: question.optionalString(7), code: question.string(8), reason: question.string(9),
            raw: question.bytes(10), rawLength: Int(question.integer(11)), entry: question.optionalInteger(12)
        )
    }
}
