/// Keys inserted since the last flush, each with its value: an open-addressing table of two flat arrays.
struct RecentKeys {
    private var keys: [UInt64]
    private var values: [Int64]
    private var occupied: [Bool]
    private(set) var count = 0

    /// - Parameter capacity: Keys it holds before it should be flushed; it is made twice as wide.
    init(capacity: Int) {
        var width = 16
        while width < capacity * 2 { width *= 2 }
        keys = Array(repeating: 0, count: width)
        values = Array(repeating: 0, count: width)
        occupied = Array(repeating: false, count: width)
    }

    private func slot(of key: UInt64) -> Int {
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 20) & mask
        while occupied[slot] && keys[slot] != key { slot = (slot + 1) & mask }
        return slot
    }

    func value(of key: UInt64) -> Int64? {
        let slot = slot(of: key)
        return occupied[slot] ? values[slot] : nil
    }

    mutating func insert(_ key: UInt64, _ value: Int64) {
        // Never more than three quarters full: a probe stays short even if a flush comes late.
        if count * 4 >= keys.count * 3 { widen() }
        let slot = slot(of: key)
        if !occupied[slot] { count += 1 }
        occupied[slot] = true
        keys[slot] = key
        values[slot] = value
    }

    private mutating func widen() {
        let old = (keys, values, occupied)
        let width = keys.count * 2
        keys = Array(repeating: 0, count: width)
        values = Array(repeating: 0, count: width)
        occupied = Array(repeating: false, count: width)
        count = 0
        for slot in old.0.indices where old.2[slot] { insert(old.0[slot], old.1[slot]) }
    }

    /// All keys with their values, in the order in which the index on disk keeps them.
    func sorted() -> [(key: Int64, value: Int64)] {
        var all: [(key: Int64, value: Int64)] = []
        all.reserveCapacity(count)
        for slot in keys.indices where occupied[slot] {
            all.append((Int64(bitPattern: keys[slot]), values[slot]))
        }
        all.sort { $0.key < $1.key }
        return all
    }

    mutating func removeAll() {
        for slot in occupied.indices { occupied[slot] = false }
        count = 0
    }
}
