import Database

/// The entries that earlier records of a job were about, as far as others had stored them before.
///
/// Hardly ever asked for: what became of the job's records tells it, and is gone through when it is asked for first.
final class SeenEntries {
    private let connection: Connection
    private let job: Int64
    private var stored: RowSet?
    /// Those of the batch in hand, whose fates are not stored yet.
    private var inHand: [Int64] = []

    init(_ connection: Connection, of job: Job) {
        self.connection = connection
        self.job = job.id
    }

    /// Begins a batch: what became of the records of the one before is stored.
    func beginBatch() {
        for entry in inHand { stored?.insert(entry) }
        inHand.removeAll(keepingCapacity: true)
    }

    /// Notes an entry that a record was about.
    func note(_ entry: Int64) { inHand.append(entry) }

    func contains(_ entry: Int64) throws(SQLiteError) -> Bool {
        if inHand.contains(entry) { return true }
        if let stored { return stored.contains(entry) }
        let met = try read()
        stored = met
        return met.contains(entry)
    }

    private func read() throws(SQLiteError) -> RowSet {
        var met = RowSet(largest: try connection.integer("SELECT max(id) FROM entries") ?? 0)
        let runs = try RecordOutcomesReader(connection, of: job)
        while let run = try runs.next() { for record in run.records { met.insert(record.entry) } }
        return met
    }
}

/// A set of row ids: a bit each, for ids are small and given out one after the other. A store's ten million works are
/// a megabyte.
package struct RowSet {
    private var words: [UInt64]

    /// - Parameter largest: No larger id is ever inserted.
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

    /// Hands out the ids in rising order.
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
