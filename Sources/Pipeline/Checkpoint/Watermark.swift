/// Puts batches that finish in any order back into the order of the input, for the sink to commit.
///
/// Element n is released after all elements before it. The number of held elements is bounded by the run's
/// window, because the source does not read on while that many batches are unwritten.
struct Watermark<Element> {
    /// Number of the element to be released next.
    private(set) var next = 0
    private var held: [Int: Element] = [:]

    /// Number of elements that wait for an earlier one.
    var heldCount: Int { held.count }

    /// Adds the element with number `sequence`. A number that was added before is ignored, so an element is
    /// released once.
    mutating func insert(_ element: Element, sequence: Int) {
        guard sequence >= next, held[sequence] == nil else { return }
        held[sequence] = element
    }

    /// The next element in order, if it has arrived.
    mutating func release() -> Element? {
        guard let element = held.removeValue(forKey: next) else { return nil }
        next += 1
        return element
    }
}
