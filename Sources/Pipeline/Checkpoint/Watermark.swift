/// Puts batches that finish in any order back into the order of the input: the sink commits what it releases.
///
/// Element n is released when all before it have been. What is held back is bounded by the run's window, for no
/// batch is read while a window's worth of them is uncommitted.
struct Watermark<Element> {
    /// Number of the element that is released next.
    private(set) var next = 0
    private var held: [Int: Element] = [:]

    /// Elements that wait for an earlier one.
    var heldCount: Int { held.count }

    /// Takes in element `sequence`. A number seen before is ignored: an element is released once.
    mutating func insert(_ element: Element, sequence: Int) {
        guard sequence >= next, held[sequence] == nil else { return }
        held[sequence] = element
    }

    /// The next element in order, if it is there.
    mutating func release() -> Element? {
        guard let element = held.removeValue(forKey: next) else { return nil }
        next += 1
        return element
    }
}
