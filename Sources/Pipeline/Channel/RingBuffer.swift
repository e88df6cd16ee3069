/// A first-in-first-out queue that moves no element when one is taken.
struct RingBuffer<Element> {
    private var slots: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    /// The oldest element, left where it is.
    var first: Element? { count > 0 ? slots[head] : nil }

    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head + count) % slots.count] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head].take()
        head = (head + 1) % slots.count
        count -= 1
        return element
    }

    private mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(4, slots.count * 2))
        for offset in 0..<count { larger.append(slots[(head + offset) % slots.count]) }
        larger.append(contentsOf: repeatElement(nil, count: max(4, slots.count * 2) - count))
        slots = larger
        head = 0
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
