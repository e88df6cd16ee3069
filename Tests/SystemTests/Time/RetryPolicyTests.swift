import Testing

@testable import Services
@testable import System

@Suite struct RetryPolicyTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `pauses grow exponentially, with jitter`() {
        let policy = RetryPolicy(attempts: 9)
        #expect(policy.pause(afterFailed: 1, jitter: 0) == Self.second / 2)
        #expect(policy.pause(afterFailed: 1, jitter: 1) == Self.second)
        #expect(policy.pause(afterFailed: 2, jitter: 0) == Self.second)
        #expect(policy.pause(afterFailed: 3, jitter: 1) == 4 * Self.second)
    }

    @Test func `no pause exceeds the maximum, however many attempts failed`() {
        let policy = RetryPolicy(attempts: .max)
        for failed in [6, 10, 64, 1_000_000] {
            #expect(policy.pause(afterFailed: failed, jitter: 1) == 30 * Self.second)
        }
    }

    @Test func `there is no pause after the last attempt`() {
        #expect(RetryPolicy(attempts: 3).pause(afterFailed: 2, jitter: 0.5) != nil)
        #expect(RetryPolicy(attempts: 3).pause(afterFailed: 3, jitter: 0.5) == nil)
        #expect(RetryPolicy(attempts: 0).pause(afterFailed: 1, jitter: 0.5) == nil)
    }
}

@Suite struct SingleFlightTests {
    @Test func `the first caller leads, all get the answer, and the next one starts again`() {
        var flights = SingleFlight<String, Int>()
        let leads = [("a", 1), ("a", 2), ("b", 2), ("a", 3)].map { flights.join($0.0, $0.1) }
        #expect(leads == [true, false, true, false])
        let landed = [flights.complete("a"), flights.complete("a")]
        #expect(landed == [[1, 2, 3], []])
        let leadsAnew = flights.join("a", 4)
        #expect(leadsAnew)
        #expect(flights.count == 2)
    }

    @Test func `a flight continues after its only waiter leaves`() {
        var flights = SingleFlight<String, Int>()
        _ = flights.join("a", 1)
        flights.leave("a", 1)
        let leads = flights.join("a", 2)
        let waiters = flights.complete("a")
        #expect(!leads && waiters == [2])
    }
}

@Suite struct BatchAccumulatorTests {
    @Test func `a full batch leaves at once, an incomplete one after its linger time`() {
        var gathering = BatchAccumulator<Int>(size: 3, linger: 100)
        for key in 0..<5 { gathering.add(key, at: UInt64(key)) }
        #expect(gathering.next(at: 5) == .ready([0, 1, 2]))
        #expect(gathering.next(at: 5) == .wait(until: 103))
        #expect(gathering.next(at: 103) == .ready([3, 4]))
        #expect(gathering.next(at: 200) == .nothing)
    }

    @Test func `a key may linger longer than others`() {
        var gathering = BatchAccumulator<Int>(size: 3, linger: 100)
        gathering.add(1, at: 50, lingering: 1_000)
        #expect(gathering.next(at: 150) == .wait(until: 1_050))
        gathering.add(2, at: 160)
        gathering.add(3, at: 160)
        #expect(gathering.next(at: 160) == .ready([1, 2, 3]))
    }

    @Test func `batches of one do not linger`() {
        var gathering = BatchAccumulator<Int>(size: 1, linger: 100)
        gathering.add(7, at: 5)
        gathering.add(8, at: 5)
        #expect(gathering.next(at: 5) == .ready([7]))
        #expect(gathering.next(at: 5) == .ready([8]))
    }

    @Test func `every key leaves once and in order`() {
        var gathering = BatchAccumulator<Int>(size: 7, linger: 0)
        var left: [Int] = []
        for round in 0..<500 {
            for key in 0..<11 { gathering.add(round * 11 + key, at: UInt64(round)) }
            if case .ready(let batch) = gathering.next(at: UInt64(round)) { left += batch }
        }
        while case .ready(let batch) = gathering.next(at: .max) { left += batch }
        #expect(left == Array(0..<5_500))
        #expect(gathering.count == 0)
    }
}
