/// A hash table of keys and values with open addressing, in one array.
///
/// A key and its value are in one cache line. A value contains a row id and is never 0; a value of 0 is an
/// empty slot.
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

    /// The content of a key's first slot, for prefetching.
    @inline(__always)
    func prefetch(_ key: UInt64) -> UInt64 { slots[firstSlot(of: key)].key }

    package func value(of key: UInt64) -> Int64? {
        let value = slots[slot(of: key)].value
        return value == 0 ? nil : value
    }

    /// - Parameter value: Must not be 0.
    package mutating func insert(_ key: UInt64, _ value: Int64) {
        // At most three quarters full, so that probing stays short.
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

    /// All keys with their values, in ascending order of keys.
    func sorted() -> [(key: Int64, value: Int64)] {
        var all: [(key: Int64, value: Int64)] = []
        all.reserveCapacity(count)
        for slot in slots where slot.value != 0 { all.append((Int64(bitPattern: slot.key), slot.value)) }
        all.sort { $0.key < $1.key }
        return all
    }

    /// Calls `body` with all keys and values, in no particular order.
    func visit(_ body: (_ key: UInt64, _ value: Int64) -> Void) {
        for slot in slots where slot.value != 0 { body(slot.key, slot.value) }
    }

    package mutating func removeAll() {
        for slot in slots.indices { slots[slot] = (0, 0) }
        count = 0
    }
}

/// A table of recently used keys in a fixed amount of memory: a key replaces another one that has its slot.
struct KeyCache {
    private var slots: [(key: Int64, value: Int64)] = []

    /// 512 KiB.
    private static let width = 1 << 15

    @inline(__always)
    private func slot(of key: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 40) & (Self.width - 1)
    }

    /// The value of a key; nil if it is not in the table.
    func value(of key: Int64) -> Int64? {
        guard !slots.isEmpty else { return nil }
        let slot = slots[slot(of: key)]
        return slot.key == key && slot.value != 0 ? slot.value : nil
    }

    /// - Parameter value: Must not be 0.
    mutating func insert(_ key: Int64, _ value: Int64) {
        if slots.isEmpty { slots = Array(repeating: (0, 0), count: Self.width) }
        slots[slot(of: key)] = (key, value)
    }

    mutating func removeAll() { slots = [] }
}
