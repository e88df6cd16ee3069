import Database
import Store
import System

/// The records of a job that were stored or already there, in input order.
struct RecordsOfJob {
    private let runs: PackedOutcomesReader
    private var run: [NumberedOutcome] = []
    /// Index of the next record in the run.
    private var place = 0

    init(_ job: Job, in connection: Connection) throws(ETLError) {
        runs = try PackedOutcomesReader(connection, of: job.id)
    }

    /// The next record; nil after the last.
    mutating func next() throws(ETLError) -> NumberedOutcome? {
        while place == run.count {
            let following = try runs.next()
            guard let following else { return nil }
            run = following.records
            place = 0
        }
        defer { place += 1 }
        return run[place]
    }
}
