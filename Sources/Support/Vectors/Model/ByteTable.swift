import Bytes

/// A table from short byte strings to numbers, such as tokens and their ids.
///
/// The strings are kept in one buffer, and found by ``KeyHash`` and comparison: a look-up makes no string.
struct ByteTable: Sendable {
    private var slots: [Int32]
    private var hashes: [UInt64] = []
    private var ends: [Int32] = []
    private var bytes: [UInt8] = []
    private(set) var values: [Int32] = []

    /// A table that has room for some strings without growing.
    init(capacity: Int = 16) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = [Int32](repeating: -1, count: size)
    }

    /// Number of strings.
    var count: Int { values.count }

    /// The value of a string; nil if the table does not have it.
    func value(of key: UnsafeRawBufferPointer) -> Int32? {
        let hash = KeyHash.hash(key)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = Int(slots[slot])
            if hashes[entry] == hash, isEqual(entry, key) { return values[entry] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a string; of equal strings, the first counts.
    ///
    /// - Returns: Whether it was new.
    @discardableResult
    mutating func insert(_ key: UnsafeRawBufferPointer, _ value: Int32) -> Bool {
        guard self.value(of: key) == nil else { return false }
        if (count + 1) * 2 > slots.count { grow() }
        let hash = KeyHash.hash(key)
        take(hash, Int32(count))
        hashes.append(hash)
        values.append(value)
        bytes.append(contentsOf: key)
        ends.append(Int32(bytes.count))
        return true
    }

    /// Calls `body` with each string and its value.
    func visit(_ body: (UnsafeRawBufferPointer, Int32) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for entry in values.indices {
                body(UnsafeRawBufferPointer(rebasing: bytes[range(of: entry)]), values[entry])
            }
        }
    }

    private func range(of entry: Int) -> Range<Int> {
        (entry == 0 ? 0 : Int(ends[entry - 1]))..<Int(ends[entry])
    }

    private func isEqual(_ entry: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        let range = range(of: entry)
        guard range.count == key.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[range]).elementsEqual(key)
        }
    }

    private mutating func take(_ hash: UInt64, _ entry: Int32) {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = entry
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (entry, hash) in hashes.enumerated() { take(hash, Int32(entry)) }
    }
}
