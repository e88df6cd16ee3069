package import Bytes

/// Finds the row a key belongs to: keys on disk (``SortedRuns``), before them those of rows written since the last flush,
/// and a filter that knows most keys to be new.
///
/// Inserting into a table at scattered places for every row costs five times what appending costs, so keys are
/// kept in memory and written in sorted runs. A row carries its own key: after a kill, the keys of rows above the
/// flushed mark are read back from the rows (``LibraryIndexes`` does that on opening).
///
/// Text keys are hashed. The table holds with each hash 23 further bits of the key; on the rare clash of hashes the
/// next one is tried, so two keys are taken for one with a chance of about n²/2⁸⁸.
package final class KeyIndex {
    private let stored: SortedRuns
    private let keysOfRun: Int
    private let replace: Statement
    private let rows: Appender<NumberRow>
    private var recent = MemTable()
    /// Recent keys that are on disk already: ``flush()`` leaves them out.
    private var written: Set<UInt64> = []
    private var kept = MemTable()
    private let keptAtMost: Int
    private let filter: BloomFilter?

    /// - Parameters:
    ///   - table: A table `(key INTEGER PRIMARY KEY, value INTEGER NOT NULL)`.
    ///   - filter: Learns the keys that are on disk; nil for none.
    ///   - keysOfRun: Keys that are written as a run where at least so many are flushed at once.
    ///   - keptAtMost: Keys that stay in memory once they are on disk, for keys that are asked for again and again.
    ///     Each costs 16 to 40 bytes. The first ones stay.
    package init(
        _ connection: Connection, table: String, filter: BloomFilter?, keysOfRun: Int, keptAtMost: Int = 0
    ) throws(SQLiteError) {
        stored = try SortedRuns(connection, table: table)
        self.keysOfRun = keysOfRun
        replace = try connection.prepare("INSERT OR REPLACE INTO \(table)(key, value) VALUES (?1, ?2)")
        rows = try Appender(connection, table: table, columns: ["key", "value"], rowsPerStatement: 64)
        self.filter = filter
        if let filter { try stored.visit { filter.insert(UInt64(bitPattern: $0)) } }
        self.keptAtMost = keptAtMost
    }

    /// Keys that wait to be flushed.
    package var recentCount: Int { recent.count }

    /// Reads what is kept in memory for a key, whose look-up is to come, and nothing that depends on it: the processor goes
    /// on to the next one meanwhile. The result is of no use but to be used.
    @inline(__always)
    package func touch(_ key: UInt64) -> UInt64 {
        let kept = keptAtMost > 0 ? kept.touch(key) : 0
        return recent.touch(key) &+ kept &+ (filter?.touch(key) ?? 0)
    }

    // MARK: Integer keys, as they are

    /// The value of a number.
    package func value(of key: Int64) throws(SQLiteError) -> Int64? {
        let bits = UInt64(bitPattern: key)
        if let filter, filter.isAbsent(bits) { return nil }
        if let value = recent.value(of: bits) { return value }
        if keptAtMost > 0, let value = kept.value(of: bits) { return value }
        return try stored.value(of: key)
    }

    /// Notes a new row's key; it reaches the disk with the next flush.
    package func insertRecent(_ key: Int64, _ value: Int64) {
        filter?.insert(UInt64(bitPattern: key))
        recent.insert(UInt64(bitPattern: key), value)
    }

    /// Writes a key at once: for a key that an existing row has come to, which no read-back would find.
    package func insertNow(_ key: Int64, _ value: Int64) throws(SQLiteError) {
        let bits = UInt64(bitPattern: key)
        filter?.insert(bits)
        // A key in memory would win over the table: it is brought in line.
        if recent.value(of: bits) != nil {
            recent.insert(bits, value)
            written.insert(bits)
        }
        if kept.value(of: bits) != nil { kept.insert(bits, value) }
        replace.bind(1, key)
        replace.bind(2, value)
        try replace.run()
    }

    /// Takes a key out whose row is gone, in the caller's transaction, after ``flush()``; another row's stays.
    package func remove(_ key: Int64, of row: Int64) throws(SQLiteError) {
        guard try value(of: key) == row else { return }
        try forget(key)
    }

    private func forget(_ key: Int64) throws(SQLiteError) {
        if kept.value(of: UInt64(bitPattern: key)) != nil { kept.removeAll() }
        try stored.remove(key)
    }

    // MARK: Text keys, hashed

    /// Where a text key is, or would be.
    package struct Place {
        fileprivate let slot: Int64
        /// The row that has the key; nil where there is none.
        package let row: Int64?
    }

    /// Whether a text key was certainly never inserted: costs no look-up, and may be false of a new one.
    package func isCertainlyNew(_ key: TextKey) -> Bool { filter?.isAbsent(key.hash) ?? false }

    /// Looks a text key up.
    package func place(of key: TextKey) throws(SQLiteError) -> Place {
        var slot = Int64(bitPattern: key.hash)
        while let value = try value(of: slot) {
            if key.matches(value) { return Place(slot: slot, row: TextKey.row(of: value)) }
            slot &+= 1
        }
        return Place(slot: slot, row: nil)
    }

    /// Notes the key of a new row, at the place just looked up.
    package func insertRecent(_ key: TextKey, row: Int64, at place: Place) {
        insertRecent(place.slot, key.packed(with: row))
    }

    /// Writes the key of an existing row at once.
    package func insertNow(_ key: TextKey, row: Int64) throws(SQLiteError) {
        try insertNow(try place(of: key).slot, key.packed(with: row))
    }

    /// Takes the key of a row out that is gone, in the caller's transaction, after ``flush()``; another row's stays.
    package func remove(_ key: TextKey, of row: Int64) throws(SQLiteError) {
        let place = try place(of: key)
        // On a clash of hashes the next key is found over this one.
        guard place.row == row, try value(of: place.slot &+ 1) == nil else { return }
        try forget(place.slot)
    }

    /// Writes all recent keys, in the caller's transaction: many as a sorted run, few into the table.
    package func flush() throws(SQLiteError) {
        var sorted = recent.sorted()
        if !written.isEmpty { sorted.removeAll { written.contains(UInt64(bitPattern: $0.key)) } }
        if sorted.count >= keysOfRun {
            var items = sorted.makeIterator()
            try stored.writeRun { items.next() }
            try stored.mergeRuns()
        } else {
            for (key, value) in sorted { rows.append(NumberRow(id: key, value: value)) }
            try rows.flush(from: ())
        }
        recent.visit { if kept.count < keptAtMost { kept.insert($0, $1) } }
        recent.removeAll()
        written.removeAll()
    }

    /// Makes one run of all in the caller's transaction, when a job begins that looks many up.
    package func mergeAll() throws(SQLiteError) { try stored.mergeAll() }
}

/// How a key's check and its row share the value of an index.
extension TextKey {
    private static let checkMask: Int64 = (1 << checkBits) - 1

    func packed(with row: Int64) -> Int64 { row << Self.checkBits | Int64(check) }
    func matches(_ value: Int64) -> Bool { value & Self.checkMask == Int64(check) }
    static func row(of value: Int64) -> Int64 { value >> checkBits }
}

/// Says of a key that it was certainly never inserted, or that it may have been (a Bloom filter).
///
/// Where nearly every key that is asked for is absent, it answers without the index being touched. Its size is fixed by
/// configuration. More keys than it was made for cost look-ups, never memory and never a wrong answer. Indexes may
/// share one: a key that another has may then be looked up in vain.
package final class BloomFilter {
    /// Empty until the first key comes: a store that is only looked at costs nothing.
    private var words: [UInt64] = []
    private let count: UInt64

    /// - Parameter bytes: Memory to spend, 32 GiB at the most; at ten bits a key about one absent key in fifty is looked
    ///   up in vain, at five one in eight.
    package init(bytes: Int) { count = UInt64(min(max(1, bytes / 8), Int(UInt32.max))) }

    /// All bits of a key lie in one word: one cache line is touched.
    private func bits(_ hash: UInt64) -> (word: Int, bits: UInt64) {
        let spread = hash &* 0x9E37_79B9_7F4A_7C15
        let bits =
            (1 << (spread & 63)) | (1 << ((spread >> 6) & 63)) | (1 << ((spread >> 12) & 63))
            | (1 << ((spread >> 18) & 63)) as UInt64
        return (Int(((spread >> 32) &* count) >> 32), bits)
    }

    package func insert(_ hash: UInt64) {
        if words.isEmpty { words = Array(repeating: 0, count: Int(count)) }
        let place = bits(hash)
        words[place.word] |= place.bits
    }

    /// The word that speaks of a key.
    @inline(__always)
    func touch(_ hash: UInt64) -> UInt64 { words.isEmpty ? 0 : words[bits(hash).word] }

    package func isAbsent(_ hash: UInt64) -> Bool {
        if words.isEmpty { return true }
        let place = bits(hash)
        return words[place.word] & place.bits != place.bits
    }
}

/// Keys with their values: an open-addressing table in one flat array.
///
/// A key and its value lie in one cache line. A value is never 0, for it holds the id of a row: 0 is an empty slot.
package struct MemTable {
    private typealias Slot = (key: UInt64, value: Int64)

    private var slots: [Slot]
    package private(set) var count = 0

    package init() {
        slots = Self.empty(width: 1 << 10)
    }

    private static func empty(width: Int) -> [Slot] { Array(repeating: (0, 0), count: width) }

    @inline(__always)
    private func firstSlot(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 20) & (slots.count - 1)
    }

    private func slot(of key: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = firstSlot(of: key)
        while slots[slot].value != 0 && slots[slot].key != key { slot = (slot + 1) & mask }
        return slot
    }

    /// What stands where a key is looked for first.
    @inline(__always)
    func touch(_ key: UInt64) -> UInt64 { slots[firstSlot(of: key)].key }

    package func value(of key: UInt64) -> Int64? {
        let value = slots[slot(of: key)].value
        return value == 0 ? nil : value
    }

    /// - Parameter value: Not 0.
    package mutating func insert(_ key: UInt64, _ value: Int64) {
        // Never more than three quarters full: a probe stays short.
        if count * 4 >= slots.count * 3 { widen() }
        let slot = slot(of: key)
        if slots[slot].value == 0 { count += 1 }
        slots[slot] = (key, value)
    }

    private mutating func widen() {
        let old = slots
        slots = Self.empty(width: old.count * 2)
        for filled in old where filled.value != 0 { slots[slot(of: filled.key)] = filled }
    }

    /// All keys with their values, in the order in which the index on disk keeps them.
    func sorted() -> [(key: Int64, value: Int64)] {
        var all: [(key: Int64, value: Int64)] = []
        all.reserveCapacity(count)
        for slot in slots where slot.value != 0 { all.append((Int64(bitPattern: slot.key), slot.value)) }
        all.sort { $0.key < $1.key }
        return all
    }

    /// Hands out all keys with their values, in no particular order.
    func visit(_ body: (_ key: UInt64, _ value: Int64) -> Void) {
        for slot in slots where slot.value != 0 { body(slot.key, slot.value) }
    }

    package mutating func removeAll() {
        for slot in slots.indices { slots[slot] = (0, 0) }
        count = 0
    }
}
