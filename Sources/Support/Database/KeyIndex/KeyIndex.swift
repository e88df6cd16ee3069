package import Bytes
package import System

/// Finds the row of a key. It consists of the keys of rows written since the last flush, the keys on disk
/// (``SortedRuns``), and a filter that recognizes most new keys.
///
/// Inserting at scattered places of a table for every row costs five times as much as appending. So keys are
/// kept in memory and written in sorted runs. A row contains its key, so after a kill the keys of rows that
/// were not flushed are read back from the rows (``LibraryIndexes`` does that when it opens).
///
/// Text keys are hashed. The table stores 23 further bits of the key with each hash. On the rare collision of
/// hashes, the next hash is tried. So the probability that two of n keys are confused is about n²/2⁸⁸.
package final class KeyIndex {
    private let stored: SortedRuns
    private let keysOfRun: Int
    private let replace: Statement
    private let rows: Appender<NumberRow>
    private var recent = MemTable()
    /// Recent keys that are already on disk. ``flush()`` skips them.
    private var written: Set<UInt64> = []
    private var kept = MemTable()
    /// Keys that were found on disk.
    private var found = KeyCache()
    /// Keys of existing rows that are not on disk yet.
    private var changed = MemTable()
    private let keptAtMost: Int
    private let filter: BloomFilter?

    /// - Parameters:
    ///   - table: A table `(key INTEGER PRIMARY KEY, value INTEGER NOT NULL)`.
    ///   - filter: The keys on disk are added to it; nil for no filter.
    ///   - keysOfRun: If at least this many keys are flushed at once, they are written as a sorted run.
    ///   - keptAtMost: Maximum number of keys that stay in memory after a flush, for keys that are looked up
    ///     often. Each
    ///     costs 16 to 40 bytes. The first ones stay.
    package init(
        _ connection: Connection, table: String, filter: BloomFilter?, keysOfRun: Int, keptAtMost: Int = 0
    ) throws(ETLError) {
        stored = try SortedRuns(connection, table: table)
        self.keysOfRun = keysOfRun
        replace = try connection.prepare("INSERT OR REPLACE INTO \(table)(key, value) VALUES (?1, ?2)")
        rows = try Appender(connection, table: table, columns: ["key", "value"], rowsPerStatement: 64)
        self.filter = filter
        if let filter { try stored.visit { filter.insert(UInt64(bitPattern: $0)) } }
        self.keptAtMost = keptAtMost
    }

    /// Number of keys that wait to be flushed.
    package var recentCount: Int { recent.count }

    /// Prefetches a key that will be looked up soon: it reads the key's memory without depending on the
    /// value, so that the processor can continue meanwhile. The result is meaningless, but must be used, so
    /// that the read is not optimized away.
    @inline(__always)
    package func prefetch(_ key: UInt64) -> UInt64 {
        let kept = keptAtMost > 0 ? kept.prefetch(key) : 0
        return recent.prefetch(key) &+ kept &+ (filter?.prefetch(key) ?? 0)
    }

    // MARK: Integer keys, not hashed

    /// The value of a key; nil if it is absent.
    package func value(of key: Int64) throws(ETLError) -> Int64? {
        let bits = UInt64(bitPattern: key)
        if let filter, filter.isAbsent(bits) { return nil }
        if let value = recent.value(of: bits) { return value }
        if keptAtMost > 0, let value = kept.value(of: bits) { return value }
        if let value = found.value(of: key) { return value }
        if changed.count > 0, let value = changed.value(of: bits) { return value }
        guard let value = try stored.value(of: key) else { return nil }
        found.insert(key, value)
        return value
    }

    /// Adds the key of a new row. It is written to disk with the next flush.
    package func insertRecent(_ key: Int64, _ value: Int64) {
        filter?.insert(UInt64(bitPattern: key))
        recent.insert(UInt64(bitPattern: key), value)
    }

    /// Adds or changes a key of an existing row. It must be on disk before the next commit
    /// (``writeChanges()``), because such a key is not read back after a kill.
    package func change(_ key: Int64, _ value: Int64) {
        let bits = UInt64(bitPattern: key)
        filter?.insert(bits)
        // Values in memory have precedence, so they are changed too.
        if recent.value(of: bits) != nil {
            recent.insert(bits, value)
            written.insert(bits)
        }
        if kept.value(of: bits) != nil { kept.insert(bits, value) }
        if found.value(of: key) != nil { found.insert(key, value) }
        changed.insert(bits, value)
    }

    /// Writes the changed keys in the caller's transaction, in the order of the table.
    package func writeChanges() throws(ETLError) {
        guard changed.count > 0 else { return }
        stored.hasSingleKeys = true
        for (key, value) in changed.sorted() {
            replace.bind(1, key)
            replace.bind(2, value)
            try replace.run()
        }
        changed.removeAll()
    }

    /// Removes the key of a deleted row, in the caller's transaction and after ``flush()``. If the key
    /// belongs to another row, it stays.
    package func remove(_ key: Int64, of row: Int64) throws(ETLError) {
        guard try value(of: key) == row else { return }
        try forget(key)
    }

    private func forget(_ key: Int64) throws(ETLError) {
        if kept.value(of: UInt64(bitPattern: key)) != nil { kept.removeAll() }
        found.removeAll()
        try writeChanges()
        try stored.remove(key)
    }

    // MARK: Text keys, hashed

    /// Position of a text key, or its insertion point.
    package struct Place {
        fileprivate let slot: Int64
        /// The row with the key; nil if there is none.
        package let row: Int64?
    }

    /// Whether a text key was certainly never inserted. Needs no lookup. May be false for a new key.
    package func isCertainlyNew(_ key: TextKey) -> Bool { filter?.isAbsent(key.hash) ?? false }

    /// Looks up a text key.
    package func place(of key: TextKey) throws(ETLError) -> Place {
        var slot = Int64(bitPattern: key.hash)
        while let value = try value(of: slot) {
            if key.matches(value) { return Place(slot: slot, row: TextKey.row(of: value)) }
            slot &+= 1
        }
        return Place(slot: slot, row: nil)
    }

    /// Adds the key of a new row, at the place just looked up.
    package func insertRecent(_ key: TextKey, row: Int64, at place: Place) {
        insertRecent(place.slot, key.packed(with: row))
    }

    /// Adds or changes a text key of an existing row.
    package func change(_ key: TextKey, row: Int64) throws(ETLError) {
        change(try place(of: key).slot, key.packed(with: row))
    }

    /// Removes the key of a deleted row, in the caller's transaction and after ``flush()``. If the key
    /// belongs to another row, it stays.
    package func remove(_ key: TextKey, of row: Int64) throws(ETLError) {
        let place = try place(of: key)
        // If hashes collided, the next key can only be found through this one.
        guard place.row == row, try value(of: place.slot &+ 1) == nil else { return }
        try forget(place.slot)
    }

    /// Writes all recent keys in the caller's transaction: many as a sorted run, few into the table.
    package func flush() throws(ETLError) {
        try writeChanges()
        var sorted = recent.sorted()
        if !written.isEmpty { sorted.removeAll { written.contains(UInt64(bitPattern: $0.key)) } }
        if sorted.count >= keysOfRun {
            var items = sorted.makeIterator()
            try stored.writeRun(ofAbout: sorted.count) { items.next() }
            try stored.mergeRuns()
        } else {
            if !sorted.isEmpty { stored.hasSingleKeys = true }
            for (key, value) in sorted { rows.append(NumberRow(id: key, value: value)) }
            try rows.flush(from: ())
        }
        recent.visit { if kept.count < keptAtMost { kept.insert($0, $1) } }
        recent.removeAll()
        written.removeAll()
    }

    /// Merges all runs in the caller's transaction, before a job that looks up many keys.
    package func mergeAll() throws(ETLError) { try stored.mergeAll() }
}

// An index value contains a key's check bits and its row.
extension TextKey {
    private static let checkMask: Int64 = (1 << checkBits) - 1

    func packed(with row: Int64) -> Int64 { row << Self.checkBits | Int64(check) }
    func matches(_ value: Int64) -> Bool { value & Self.checkMask == Int64(check) }
    static func row(of value: Int64) -> Int64 { value >> checkBits }
}
