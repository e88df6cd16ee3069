import Contract
package import Database
import Store
import Syntax
package import System

/// The rejects of a job, and on request its warnings: `etl errors`.
package struct ErrorList {
    /// Output format of the list.
    package enum Format: String, Sendable, CaseIterable {
        /// One object per line.
        case ndjson
        /// One array of objects.
        case json
        /// The rows as their source has them, under its own header, followed by what is wrong. The user can
        /// fix them and import them again.
        case csv
    }

    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// Writes the list while it is read.
    ///
    /// - Parameters:
    ///   - jobName: The job; nil for the newest.
    ///   - includesWarnings: Whether warnings about imported records are listed too.
    ///   - guardsFormulas: Whether CSV cells that a spreadsheet would run as a formula get an apostrophe.
    /// - Returns: The number of listed errors.
    /// - Throws: `.missing` if there is no such job.
    @discardableResult
    package func write(
        of jobName: String?, as format: Format, includesWarnings: Bool = false, guardsFormulas: Bool = false,
        to sink: ByteSink
    ) throws(ETLError) -> Int {
        try connection.snapshot { () throws(ETLError) -> Int in
            let job = try JobTable(connection).existing(jobName)
            guard format != .csv else {
                var rows = try ErrorRows(job, includesWarnings: includesWarnings, in: connection)
                return try rows.write(guardsFormulas: guardsFormulas, to: sink)
            }
            return try writeJSON(job, isArray: format == .json, includesWarnings: includesWarnings, to: sink)
        }
    }

    /// Passes the errors to `take`, one by one.
    ///
    /// - Parameter namesBooks: Whether each gets ``ListedError/book``.
    /// - Throws: `.missing` if there is no such job, and what `take` throws.
    package func forEach(
        of jobName: String?, includesWarnings: Bool = false, namesBooks: Bool = false,
        _ take: (ListedError) throws(ETLError) -> Void
    ) throws(ETLError) {
        try connection.snapshot { () throws(ETLError) in
            let job = try JobTable(connection).existing(jobName)
            let errors = try ListedErrors(job, includesWarnings: includesWarnings, in: connection)
            guard namesBooks else {
                while let error = try errors.next() { try take(error) }
                return
            }
            var rows = try ErrorRows(job, includesWarnings: includesWarnings, in: connection)
            while var error = try errors.next() {
                error.book = try rows.book(of: error)
                try take(error)
            }
        }
    }

    private func writeJSON(
        _ job: Job, isArray: Bool, includesWarnings: Bool, to sink: ByteSink
    ) throws(ETLError) -> Int {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        var count = 0
        let errors = try ListedErrors(job, includesWarnings: includesWarnings, in: connection)
        if isArray { out.beginArray() }
        while let error = try errors.next() {
            error.write(into: &out)
            if !isArray { out.endLine() }
            count += 1
            try out.flush(to: sink)
        }
        if isArray {
            out.endArray()
            out.endLine()
        }
        try out.flush(to: sink, isEnd: true)
        return count
    }
}

/// Reads the errors of a job in input order.
struct ListedErrors {
    private let job: Job
    private let query: Statement

    /// - Parameters:
    ///   - includesWarnings: Whether warnings about imported records are listed too.
    ///   - record: File index and number of a single record; nil for all. Rejects only.
    init(
        _ job: Job, includesWarnings: Bool, at record: (file: Int, row: Int)? = nil, in connection: Connection
    ) throws(ETLError) {
        self.job = job
        let only = record.map { " AND file = \($0.file) AND row = \($0.row)" } ?? ""
        let rejects = """
            SELECT file, row, 0, 0, line, stage, field, value, code, message, raw, raw_length, NULL, byte
            FROM rejects WHERE job = ?1\(only)
            """
        let warnings = """
            SELECT n.file, n.row, 1, n.number, n.line, NULL, n.field, n.value, n.code, n.message, NULL, 0, n.entry,
                NULL
            FROM warnings n WHERE n.job = ?1
            """
        query = try connection.query(
            (includesWarnings ? "\(rejects) UNION ALL \(warnings)" : rejects) + " ORDER BY 1, 2, 3, 4")
        query.bind(1, job.id)
    }

    /// The next error; nil after the last.
    ///
    /// - Throws: `.inputOutput` if it is of a file that the job does not have.
    func next() throws(ETLError) -> ListedError? {
        guard try query.next() else { return nil }
        let file = Int(query.integer(0))
        guard job.inputs.indices.contains(file) else {
            throw StoreFile.unreadable("the file of an error of job `\(job.name)`")
        }
        return ListedError(
            kind: query.integer(2) == 0 ? .reject : .warning, row: Int(query.integer(1)),
            line: Int(query.integer(4)), byte: query.optionalInteger(13), fileIndex: file,
            file: job.fileName(file),
            stage: query.optionalString(5), field: query.optionalString(6),
            value: query.optionalString(7), code: query.string(8), reason: query.string(9),
            raw: query.bytes(10), rawLength: Int(query.integer(11)), entry: query.optionalInteger(12)
        )
    }
}
