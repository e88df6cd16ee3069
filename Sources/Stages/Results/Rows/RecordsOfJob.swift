import Pipeline

/// The records of a job that were stored or were there already, in input order, one at a time.
struct RecordsOfJob {
    private let runs: RecordFatesReader
    private var run: [RecordFate] = []
    /// Index in the run of the record that is next.
    private var place = 0

    init(_ job: Job, in connection: Connection) throws(StageFailure) {
        do throws(SQLiteError) {
            runs = try RecordFatesReader(connection, of: job.id)
        } catch {
            throw error.failure
        }
    }

    /// The next record; nil after the last.
    mutating func next() throws(StageFailure) -> RecordFate? {
        while place == run.count {
            do throws(SQLiteError) {
                guard let following = try runs.next() else { return nil }
                run = following.records
            } catch {
                throw error.failure
            }
            place = 0
        }
        defer { place += 1 }
        return run[place]
    }
}
