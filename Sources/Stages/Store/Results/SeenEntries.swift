import Database
import System

/// The entries that earlier records of a job were about and that other jobs had created.
///
/// Rarely needed, so they are read from the outcomes of the job's records on first use.
final class SeenEntries {
    private let connection: Connection
    private let job: Int64
    private var stored: RowSet?
    /// Entries of the current batch, whose outcomes are not stored yet.
    private var currentBatch: [Int64] = []

    init(_ connection: Connection, of job: Job) {
        self.connection = connection
        self.job = job.id
    }

    /// Starts a batch. The outcomes of the previous one are stored by then.
    func beginBatch() {
        for entry in currentBatch { stored?.insert(entry) }
        currentBatch.removeAll(keepingCapacity: true)
    }

    /// Adds the entry of a record.
    func note(_ entry: Int64) { currentBatch.append(entry) }

    func contains(_ entry: Int64) throws(ETLError) -> Bool {
        if currentBatch.contains(entry) { return true }
        if let stored { return stored.contains(entry) }
        let seen = try PackedOutcomesReader(connection, of: job).entries()
        stored = seen
        return seen.contains(entry)
    }
}
