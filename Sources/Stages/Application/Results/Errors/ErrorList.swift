import Books
package import Database
package import Pipeline
import Syntax

/// The records of a job that were turned away, and on request what was noticed about the others: `etl errors`.
package struct ErrorList {
    /// How the list is written.
    package enum Format: String, Sendable, CaseIterable {
        /// An object a line.
        case ndjson
        /// One array of objects.
        case json
        /// The rows as their source had them, under its own header, and behind them what is wrong: ready to be
        /// mended and imported again.
        case csv
    }

    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// Writes the list, reading while it writes.
    ///
    /// - Parameters:
    ///   - jobName: The job; nil for the newest.
    ///   - includesWarnings: Whether notices about records that were kept are listed too.
    ///   - guardsFormulas: Whether cells of CSV that a spreadsheet would run get an apostrophe.
    /// - Returns: How many were listed.
    /// - Throws: `.missing` where there is no such job.
    @discardableResult
    package func write(
        of jobName: String?, as format: Format, includesWarnings: Bool = false, guardsFormulas: Bool = false,
        to sink: ByteSink
    ) throws(StageFailure) -> Int {
        try connection.snapshot { () throws(StageFailure) -> Int in
            let job = try JobTable(connection).existing(jobName)
            guard format != .csv else {
                var rows = try ErrorRows(job, includesWarnings: includesWarnings, in: connection)
                return try rows.write(guardsFormulas: guardsFormulas, to: sink)
            }
            return try writeJSON(job, isArray: format == .json, includesWarnings: includesWarnings, to: sink)
        }
    }

    /// Hands the list to `take`, one by one.
    ///
    /// - Throws: `.missing` where there is no such job, and what `take` throws.
    package func forEach(
        of jobName: String?, includesWarnings: Bool = false,
        _ take: (ListedError) throws(StageFailure) -> Void
    ) throws(StageFailure) {
        try connection.snapshot { () throws(StageFailure) in
            let job = try JobTable(connection).existing(jobName)
            let errors = try ListedErrors(job, includesWarnings: includesWarnings, in: connection)
            while let error = try errors.next() { try take(error) }
        }
    }

    private func writeJSON(
        _ job: Job, isArray: Bool, includesWarnings: Bool, to sink: ByteSink
    ) throws(StageFailure) -> Int {
        var out = JSONWriter(capacity: 2 * JSONWriter.pieceBytes)
        var count = 0
        let errors = try ListedErrors(job, includesWarnings: includesWarnings, in: connection)
        if isArray { out.beginArray() }
        while let error = try errors.next() {
            error.write(into: &out)
            if !isArray { out.endLine() }
            count += 1
            try out.handOn(to: sink)
        }
        if isArray {
            out.endArray()
            out.endLine()
        }
        try out.handOn(to: sink, isEnd: true)
        return count
    }
}
