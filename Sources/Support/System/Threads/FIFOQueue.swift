/// A queue whose first element is taken in constant time. Its memory is bounded by the maximum number of elements
/// that waited at the same time.
package struct FIFOQueue<Element> {
    /// Elements that wait, from ``next`` on. Those before it were taken.
    private var elements: [Element?] = []
    private var next = 0

    package init() {}

    /// Number of elements that wait.
    package var count: Int { elements.count - next }

    /// Adds an element at the end.
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the first element; nil if none waits.
    package mutating func popFirst() -> Element? {
        guard next < elements.count, let element = elements[next] else { return nil }
        elements[next] = nil
        next += 1
        if next == elements.count {
            elements.removeAll(keepingCapacity: true)
            next = 0
        } else if next >= 64, next * 2 >= elements.count {
            elements.removeFirst(next)
            next = 0
        }
        return element
    }
}

extension FIFOQueue: Sendable where Element: Sendable {}
