import Bytes

/// A map from keys of genres (``GenreKey``) to small numbers.
///
/// Open addressing over the bytes of the keys: a lookup hashes the key once and creates no `String`.
struct GenreKeys: Sendable {
    private var storage: [UInt8] = []
    private var entries: [Entry] = []
    /// Index of the entry plus one; 0 is a free slot.
    private var slots: [UInt32]

    private struct Entry {
        var offset: UInt32
        var length: UInt32
        var value: UInt16
    }

    init(expected: Int) {
        var size = 64
        while size < expected * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        storage.reserveCapacity(expected * 16)
        entries.reserveCapacity(expected)
    }

    /// Adds the key of a spelling. If the key exists, its first value is kept.
    mutating func insert(_ spelling: UnsafeRawBufferPointer, as value: UInt16) {
        var key: [UInt8] = []
        GenreKey.append(spelling, to: &key)
        guard !key.isEmpty, key.withUnsafeBytes({ self.value(of: $0) }) == nil else { return }
        if (entries.count + 1) * 2 > slots.count { grow() }
        entries.append(Entry(offset: UInt32(storage.count), length: UInt32(key.count), value: value))
        storage.append(contentsOf: key)
        place(entries.count - 1)
    }

    /// Adds the key of a spelling. If the key exists, its first value is kept.
    mutating func insert(_ spelling: [UInt8], as value: UInt16) {
        spelling.withUnsafeBytes { insert($0, as: value) }
    }

    @inline(__always)
    func value(of key: UnsafeRawBufferPointer) -> UInt16? {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: KeyHash.hash(key)) & mask
        while true {
            let number = Int(slots[slot])
            guard number > 0 else { return nil }
            let entry = entries[number - 1]
            if Int(entry.length) == key.count, matches(entry, key) { return entry.value }
            slot = (slot + 1) & mask
        }
    }

    /// The value of a spelling.
    func value(ofSpelling spelling: String) -> UInt16? {
        GenreKey.key(spelling).withUnsafeBytes { value(of: $0) }
    }

    @inline(__always)
    private func matches(_ entry: Entry, _ key: UnsafeRawBufferPointer) -> Bool {
        storage.withUnsafeBytes { $0.part(Int(entry.offset), key.count).hasSameBytes(as: key) }
    }

    private mutating func place(_ number: Int) {
        let entry = entries[number]
        let range = Int(entry.offset)..<Int(entry.offset) + Int(entry.length)
        let hash = storage.withUnsafeBytes { KeyHash.hash(UnsafeRawBufferPointer(rebasing: $0[range])) }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(number + 1)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for number in entries.indices { place(number) }
    }
}
