import Testing

@testable import System

@Suite struct FIFOQueueTests {
    @Test func `elements come in the order in which they were added`() {
        var queue = FIFOQueue<Int>()
        var (added, taken) = (0, 0)
        // Longer, then shorter, again and again, so that taken elements are dropped in between.
        for round in 0..<50 {
            for _ in 0..<(round % 7) * 40 {
                queue.append(added)
                added += 1
            }
            for _ in 0..<(round % 5) * 40 {
                guard let element = queue.popFirst() else { break }
                #expect(element == taken)
                taken += 1
            }
            #expect(queue.count == added - taken)
        }
        while let element = queue.popFirst() {
            #expect(element == taken)
            taken += 1
        }
        #expect(taken == added)
        #expect(queue.count == 0)
    }

    @Test func `an empty queue has no first element`() {
        var queue = FIFOQueue<String>()
        #expect(queue.popFirst() == nil)
        queue.append("a")
        #expect(queue.popFirst() == "a")
        #expect(queue.popFirst() == nil)
    }

    @Test func `a queue that is never empty lets go of what was taken`() {
        final class Thing {}
        var queue = FIFOQueue<Thing>()
        var first: Thing? = Thing()
        weak let kept = first
        if let first { queue.append(first) }
        queue.append(Thing())
        first = nil
        _ = queue.popFirst()
        #expect(kept == nil)
        #expect(queue.count == 1)
    }
}
