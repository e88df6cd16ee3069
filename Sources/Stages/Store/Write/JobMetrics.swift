import Database
package import System

/// What a job has done so far, and how complete the library is.
package struct JobMetrics: Sendable {
    package var job: Job
    /// Number of works and entries that the job removed. Works that were merged into others do not count.
    package var removed = 0
    /// The share of editions with a value, by the name of a field (``StoredBookField``).
    package var fillRates: [String: Double] = [:]
}

extension ResultsStore {
    /// The metrics of the job; nil if none has begun.
    ///
    /// - Parameter fields: The fields whose fill rates are read. Each takes a pass over the books.
    /// - Throws: `.temporary` if the run is stopped meanwhile.
    package func metrics(of fields: [String]) throws(ETLError) -> JobMetrics? {
        try connection.interrupting(at: lockWaitPolicy.stop) { () throws(ETLError) in
            try uninterruptedMetrics(of: fields)
        }
    }

    /// Number of books in a library. It takes a pass over the entries of all libraries.
    ///
    /// - Throws: `.temporary` if the run is stopped meanwhile.
    package func bookCount(of library: String) throws(ETLError) -> Int {
        try connection.interrupting(at: lockWaitPolicy.stop) { () throws(ETLError) in
            let row = try connection.row(
                "SELECT count(*) FROM entries e JOIN libraries l ON l.id = e.library WHERE l.name = ?1",
                library)
            return Int(row?.integer(0) ?? 0)
        }
    }

    private func uninterruptedMetrics(of fields: [String]) throws(ETLError) -> JobMetrics? {
        guard let job = try storedJob() else { return nil }
        var metrics = JobMetrics(job: job)
        for table in [JournaledTable.works, .entries] {
            let isMerged =
                table == .works
                ? "AND NOT EXISTS (SELECT 1 FROM aliases a WHERE a.key = \(WorkAlias.stored("b.key", ofWork: "b.id")))"
                : ""
            metrics.removed += Int(
                try connection.number(
                    """
                    SELECT count(*) FROM \(table.images) b JOIN runs r ON r.id = b.run
                    WHERE r.job = \(job.id) AND b.present = 1
                        AND NOT EXISTS (SELECT 1 FROM \(table.name) n WHERE n.id = b.id) \(isMerged)
                    """))
        }
        for field in Set(fields).compactMap({ StoredBookField.field(named: $0) }) {
            guard
                let read = try connection.row(
                    """
                    SELECT count(*), count(nullif(\(field.sql), '')) FROM editions d JOIN works w ON w.id = d.work
                    """), read.integer(0) > 0
            else { continue }
            metrics.fillRates[field.name] = Double(read.integer(1)) / Double(read.integer(0))
        }
        return metrics
    }
}
