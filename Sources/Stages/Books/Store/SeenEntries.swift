import Database

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

    func contains(_ entry: Int64) throws(SQLiteError) -> Bool {
        if currentBatch.contains(entry) { return true }
        if let stored { return stored.contains(entry) }
        let seen = try read()
        stored = seen
        return seen.contains(entry)
    }

    private func read() throws(SQLiteError) -> RowSet {
        var seen = RowSet(largest: try connection.integer("SELECT max(id) FROM entries") ?? 0)
        let runs = try PackedOutcomesReader(connection, of: job)
        while let run = try runs.next() { for record in run.records { seen.insert(record.entry) } }
        return seen
    }
}

/// A set of row ids, one bit each, because ids are small and consecutive. Ten million works need about a
/// megabyte.
package struct RowSet {
    private var words: [UInt64]

    /// - Parameter largest: The largest id that can be inserted.
    package init(largest: Int64) {
        words = Array(repeating: 0, count: Int(max(0, largest)) / 64 + 1)
    }

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    package mutating func insert(_ id: Int64) {
        guard id >= 0, Int(id >> 6) < words.count else { return }
        words[Int(id >> 6)] |= 1 << UInt64(id & 63)
    }

    package func contains(_ id: Int64) -> Bool {
        id >= 0 && Int(id >> 6) < words.count && words[Int(id >> 6)] & 1 << UInt64(id & 63) != 0
    }

    /// Calls `body` with the ids in ascending order.
    package func visit<Failure: Error>(_ body: (Int64) throws(Failure) -> Void) throws(Failure) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                try body(Int64(index) << 6 | Int64(rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
        }
    }
}
