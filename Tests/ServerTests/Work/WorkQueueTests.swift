import Testing

@testable import Server

@Suite struct WorkQueueTests {
    @Test func `units run on free lanes, then wait, then are refused`() {
        var queue = WorkQueue<Int>(lanes: 2, waiting: 3)
        #expect(queue.add(1) == .run(onLane: 0))
        #expect(queue.add(2) == .run(onLane: 1))
        #expect((3...5).map { queue.add($0) } == [.wait, .wait, .wait])
        #expect(queue.add(6) == .refuse)
        #expect(queue.running == 2 && queue.waiting == 3)
    }

    @Test func `units that wait run in the order of their arrival`() {
        var queue = WorkQueue<Int>(lanes: 1, waiting: 1_000)
        _ = queue.add(0)
        var expected: [Int] = []
        var ran: [Int] = []
        // More and fewer wait, so that the queue is compacted meanwhile.
        for number in 1...500 {
            #expect(queue.add(number) == .wait)
            expected.append(number)
            if number.isMultiple(of: 3), let next = queue.end(onLane: 0) { ran.append(next) }
        }
        while let next = queue.end(onLane: 0) { ran.append(next) }
        #expect(ran == expected)
        #expect(queue.running == 0 && queue.waiting == 0)
        #expect(queue.add(9) == .run(onLane: 0))
    }
}

@Suite(.ownThread) struct WorkPoolTests {
    @Test func `a full pool refuses, and goes on when a lane is free`() async {
        let pool = WorkPool("test", lanes: 1, waiting: 1)
        let (began, letGo) = (AsyncStream.makeStream(of: Int.self), AsyncStream.makeStream(of: Void.self))
        let waits: WorkPool.Unit = { _ in
            began.continuation.yield(1)
            for await _ in letGo.stream { break }
        }
        #expect(pool.submit(waits))
        for await _ in began.stream { break }
        let ended = AsyncStream.makeStream(of: Void.self)
        #expect(pool.submit { _ in ended.continuation.yield() })
        #expect(!pool.submit { _ in })
        #expect(pool.load == (1, 1))
        letGo.continuation.yield()
        for await _ in ended.stream { break }
    }
}
