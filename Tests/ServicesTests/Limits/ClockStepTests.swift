import TestSupport
import Testing

@testable import Services

/// The limiter under a clock that is set back and forward by seconds, hours and years.
@Suite struct ClockStepTests {
    private static let second: Int64 = 1_000_000
    private static let hour = 3_600 * second
    private static let year = 8_766 * hour
    private static let start = 56 * year

    private let limits = ServiceLimits(
        rate: .init(perSecond: 2, burst: 2), concurrency: 2,
        breaker: .init(failures: 3, openTime: 30 * second),
        throttlePause: 5 * second, leaseTime: 60 * second)

    /// Calls of one process after another: each waits for the required time, then makes its call.
    private struct Caller {
        var state = LimiterState()
        /// The time that passes, and what the clock shows of it.
        var elapsed: Int64 = 0
        var offset: Int64 = 0
        /// When calls were admitted, in elapsed time.
        var calls: [Int64] = []

        var now: Int64 { ClockStepTests.start + elapsed + offset }

        /// Waits for a permit.
        ///
        /// - Returns: Duration of the call.
        mutating func call(_ limits: ServiceLimits, _ ending: LimiterState.Ending) -> Int64 {
            let began = elapsed
            while true {
                switch state.admit(cost: 1, at: now, limits: limits) {
                case .go(let lease):
                    calls.append(elapsed)
                    elapsed += 100_000
                    state.finish(lease, ending, at: now, limits: limits)
                    return elapsed - began
                case .wait(let until), .refuse(_, let until):
                    elapsed += max(1, until - now)
                    guard elapsed - began < 2 * ClockStepTests.hour else { return elapsed - began }
                }
            }
        }
    }

    private static let steps: [Int64] = [second, 7 * second, hour, 30 * hour, year, 40 * year]

    @Test(arguments: steps.flatMap { [$0, -$0] })
    func `after one step the next call waits no longer than without it`(step: Int64) {
        let endings: [LimiterState.Ending] = [
            .answered, .failed, .throttled(pause: nil), .throttled(pause: 40 * Self.second), .inconclusive,
        ]
        for ending in endings {
            var (stepped, steady) = (Caller(), Caller())
            for _ in 0..<4 {
                _ = stepped.call(limits, ending)
                _ = steady.call(limits, ending)
            }
            stepped.offset += step
            let (wait, usual) = (stepped.call(limits, .answered), steady.call(limits, .answered))
            #expect(wait <= usual + 1_000_000, "\(ending)")
            if step < -Self.second { #expect(wait == usual, "\(ending)") }
        }
    }

    @Test(arguments: 1...20)
    func `random steps neither block calls nor raise the rate by more than a burst each`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var caller = Caller()
        var steps: [Int64] = []
        for _ in 0..<500 {
            if Int.random(in: 0..<10, using: &random) == 0 {
                steps.append(caller.elapsed)
                let step = Self.steps.randomElement(using: &random) ?? 0
                caller.offset += Bool.random(using: &random) ? step : -step
                caller.offset = min(max(caller.offset, -50 * Self.year), 50 * Self.year)
            }
            #expect(caller.call(limits, .answered) <= 3 * Self.second)
        }
        for (index, first) in caller.calls.enumerated() {
            let last = first + 10 * Self.second
            let count = caller.calls[index...].prefix { $0 <= last }.count
            let stepped = steps.count { $0 >= first && $0 <= last }
            #expect(count <= 22 + 4 * stepped)
        }
    }
}
