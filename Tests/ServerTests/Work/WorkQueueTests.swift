import TestSupport
import Testing

@testable import Server

@Suite struct WorkQueueTests {
    @Test func `units run on free lanes, then wait, then are refused`() {
        var queue = WorkQueue<Int>(lanes: 2, waiting: 3)
        #expect(queue.add(1) == .run(onLane: 0))
        #expect(queue.add(2) == .run(onLane: 1))
        #expect((3...5).map { queue.add($0) } == [.wait, .wait, .wait])
        #expect(queue.add(6) == .refuse(.full))
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

@Suite struct FairWorkQueueTests {
    @Test func `clients take turns, however much of one waits`() {
        var queue = WorkQueue<String>(lanes: 1, waiting: 100)
        _ = queue.add("running", of: "a")
        for number in 1...3 { _ = queue.add("a\(number)", of: "a") }
        _ = queue.add("b1", of: "b")
        _ = queue.add("c1", of: "c")
        var ran: [String] = []
        while let next = queue.end(onLane: 0) { ran.append(next) }
        #expect(ran == ["a1", "b1", "c1", "a2", "a3"])
        #expect(queue.running == 0 && queue.waiting == 0)
    }

    @Test func `no client has all lanes`() {
        var queue = WorkQueue<String>(lanes: 2, lanesPerClient: 1, waiting: 100)
        #expect(queue.add("a1", of: "a") == .run(onLane: 0))
        #expect(queue.add("a2", of: "a") == .wait)
        #expect(queue.add("b1", of: "b") == .run(onLane: 1))
        #expect(queue.end(onLane: 1) == nil, "a has its lane")
        #expect(queue.end(onLane: 0) == "a2")
        #expect(queue.running == 1)
    }

    @Test func `a client that fills the queue leaves places for others, and gives way to them`() {
        var queue = WorkQueue<Int>(lanes: 1, waiting: 100)
        _ = queue.add(0, of: "a")
        var admitted = 0
        while queue.add(0, of: "a") == .wait { admitted += 1 }
        #expect(admitted == 75)
        #expect(queue.add(0, of: "a") == .refuse(.ofClient(limit: 75)))
        for _ in 0..<25 { #expect(queue.add(0, of: "b") == .wait) }
        #expect(queue.add(0, of: "c") == .refuse(.full))
        // Others wait now, so that a gets no further place before it has less than a quarter.
        for _ in 0..<10 { _ = queue.end(onLane: 0) }
        #expect(queue.add(0, of: "a") == .refuse(.ofClient(limit: 25)))
        #expect(queue.add(0, of: "c") == .wait)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `each unit runs once, and no client has more lanes than it may`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let lanes = Int.random(in: 1...4, using: &random)
        let perClient = Int.random(in: 1...lanes, using: &random)
        var queue = WorkQueue<(client: String, number: Int)>(
            lanes: lanes, lanesPerClient: perClient, waiting: 1_000)
        var running: [Int: (client: String, number: Int)] = [:]
        var ran: [String: [Int]] = [:]
        func begin(_ unit: (client: String, number: Int), on lane: Int) {
            running[lane] = unit
            ran[unit.client, default: []].append(unit.number)
        }
        for number in 0..<300 {
            let unit = (client: "\(Int.random(in: 0..<3, using: &random))", number: number)
            if case .run(let lane) = queue.add(unit, of: unit.client) { begin(unit, on: lane) }
            if Bool.random(using: &random), let lane = running.keys.randomElement(using: &random) {
                running[lane] = nil
                if let next = queue.end(onLane: lane) { begin(next, on: lane) }
            }
            #expect(running.count == queue.running)
            for count in Dictionary(grouping: running.values, by: \.client).values.map(\.count) {
                #expect(count <= perClient)
            }
        }
        while let lane = running.keys.first {
            running[lane] = nil
            if let next = queue.end(onLane: lane) { begin(next, on: lane) }
        }
        #expect(queue.waiting == 0)
        #expect(ran.values.flatMap { $0 }.sorted() == Array(0..<300))
        #expect(ran.values.allSatisfy { $0 == $0.sorted() }, "units of a client run in their order")
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
        #expect(pool.submit(waits) == nil)
        for await _ in began.stream { break }
        let ended = AsyncStream.makeStream(of: Void.self)
        #expect(pool.submit { _ in ended.continuation.yield() } == nil)
        #expect(pool.submit { _ in } == .full)
        #expect(pool.load == (1, 1))
        letGo.continuation.yield()
        for await _ in ended.stream { break }
    }
}
