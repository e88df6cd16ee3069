/// Values side by side in memory that is reused: what the parser writes every few nanoseconds, and makes sure
/// of the room for many at a time. Of plain numbers only: nothing is ever deinitialized.
struct UnsafeArray<Element>: ~Copyable {
    private(set) var storage: UnsafeMutablePointer<Element>
    private var capacity: Int
    var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    /// What was written, lent until the next change.
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: storage, count: count) }

    /// Makes room for `more` values after the first `used`, which are kept.
    @inline(__always)
    mutating func reserve(_ more: Int, after used: Int) {
        if used + more > capacity { grow(to: max(used + more, 2 * capacity), keeping: used) }
    }

    /// Adds a value, for which there is room.
    @inline(__always)
    mutating func append(_ element: Element) {
        (storage + count).initialize(to: element)
        count &+= 1
    }

    @inline(never)
    private mutating func grow(to capacity: Int, keeping used: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: storage, count: used)
        storage.deallocate()
        storage = larger
        self.capacity = capacity
    }
}
