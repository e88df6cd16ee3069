package import Database
package import Pipeline

/// Reads the fates of jobs' records, run by run, in the order of the input.
package struct RecordOutcomesReader {
    /// Records whose fates are in one row of `record_runs`.
    package struct Run {
        package var job: Int64
        /// Index of the file among the job's inputs.
        package var file: Int
        package var records: [OutcomeOfRecord]
    }

    private let runs: Statement

    private init(_ connection: Connection, _ condition: String) throws(SQLiteError) {
        runs = try connection.prepare("SELECT job, file, fates FROM record_runs \(condition)")
    }

    /// All records of a job.
    package init(_ connection: Connection, of job: Int64) throws(SQLiteError) {
        try self.init(connection, "WHERE job = ?1 ORDER BY job, file, row")
        runs.bind(1, job)
    }

    /// All records there are, those of the newest job first.
    package init(newestJobsFirst connection: Connection) throws(SQLiteError) {
        try self.init(connection, "ORDER BY job DESC, file, row")
    }

    /// The next run; nil after the last.
    package func next() throws(SQLiteError) -> Run? {
        guard try runs.step() else { return nil }
        return Run(
            job: runs.integer(0), file: Int(runs.integer(1)), records: RecordOutcomes.records(runs.bytes(2)))
    }

    /// The first record of a job's file that was stored or was there already.
    package static func first(
        ofFile file: Int, of job: Int64, in connection: Connection
    ) throws(StageFailure) -> OutcomeOfRecord? {
        do throws(SQLiteError) {
            let run = try connection.prepare(
                "SELECT fates FROM record_runs WHERE job = ?1 AND file = ?2 ORDER BY row LIMIT 1")
            run.bind(1, job)
            run.bind(2, file)
            return try run.step() ? RecordOutcomes.records(run.bytes(0)).first : nil
        } catch {
            throw error.failure
        }
    }

    /// One record of a job; nil where the job has none of that number, or turned it away.
    package static func record(
        _ row: Int, file: Int, of job: Int64, in connection: Connection
    ) throws(SQLiteError) -> OutcomeOfRecord? {
        let run = try connection.prepare(
            """
            SELECT fates FROM record_runs WHERE job = ?1 AND file = ?2 AND row <= ?3
            ORDER BY row DESC LIMIT 1
            """)
        run.bind(1, job)
        run.bind(2, file)
        run.bind(3, row)
        guard try run.step() else { return nil }
        return RecordOutcomes.records(run.bytes(0)).first { $0.row == row }
    }
}
