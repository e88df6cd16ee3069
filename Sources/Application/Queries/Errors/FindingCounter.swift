import Books
package import Contract
package import Database
package import Store
package import System

/// Counts the findings of a job: rejects by reason, repairs by rule, warnings by code.
package struct FindingCounter {
    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// The counts of a job. Each kind takes one pass over its rows.
    package func counts(of job: Job) throws(ETLError) -> FindingCounts {
        try connection.snapshot { () throws(ETLError) in
            FindingCounts(
                rejects: try counts(
                    "SELECT code, count(*) FROM rejects WHERE job = ?1 GROUP BY code", of: job),
                repairs: try counts(
                    """
                    SELECT substr(message, instr(message, ?2) + length(?2)), count(DISTINCT file << 40 | row)
                    FROM warnings WHERE job = ?1 AND code = 'isbn_repaired' AND instr(message, ?2) > 0 GROUP BY 1
                    """, of: job, mark: RepairText.mark
                ).map { FindingCounts.Count(name: RepairText.rule($0.name), count: $0.count) },
                warnings: try counts(
                    "SELECT code, count(*) FROM warnings WHERE job = ?1 GROUP BY code", of: job))
        }
    }

    /// The number of records that were set aside, by row id of their job.
    package func setAside() throws(ETLError) -> [Int64: Int] {
        let codes = ReasonCode.allCases.filter(\.isSetAside).map { "'\($0.code)'" }.joined(separator: ",")
        let query = try connection.query(
            "SELECT job, count(*) FROM rejects WHERE code IN (\(codes)) GROUP BY job")
        var counts: [Int64: Int] = [:]
        while try query.next() { counts[query.integer(0)] = Int(query.integer(1)) }
        return counts
    }

    private func counts(
        _ sql: String, of job: Job, mark: String? = nil
    ) throws(ETLError) -> [FindingCounts.Count] {
        let query = try connection.query(sql + " ORDER BY 2 DESC, 1", job.id)
        if let mark { query.bind(2, mark) }
        var counts: [FindingCounts.Count] = []
        while try query.next() {
            counts.append(FindingCounts.Count(name: query.string(0), count: Int(query.integer(1))))
        }
        return counts
    }
}
