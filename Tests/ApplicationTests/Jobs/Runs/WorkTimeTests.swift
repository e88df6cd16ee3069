import Testing

@testable import Jobs

@Suite struct WorkTimeTests {
    private static let second: UInt64 = 1_000_000_000

    /// Seconds that are counted at the end of some steps.
    private static func seconds(until end: UInt64, _ steps: (inout WorkTime) -> Void) -> UInt64 {
        var time = WorkTime(at: 0)
        steps(&time)
        return time.spent(at: end * second) / second
    }

    @Test func `all time counts while nothing is awaited`() {
        #expect(Self.seconds(until: 100) { _ in } == 100)
        #expect(Self.seconds(until: 100) { $0.step(at: 40 * Self.second) } == 100)
        #expect(
            WorkTime(7 * Self.second, at: 50 * Self.second).spent(at: 60 * Self.second) == 17 * Self.second)
    }

    @Test func `while answers are awaited, a second counts between two steps`() {
        let waited = Self.seconds(until: 1_000) { time in
            time.note("a", isAwaited: true, at: 10 * Self.second)
            time.note("b", isAwaited: true, at: 20 * Self.second)
            // Answers come all the time.
            for moment in 21...500 as ClosedRange<UInt64> {
                time.note("a", isAwaited: moment % 2 == 0, at: moment * Self.second)
            }
        }
        #expect(waited == 11)
        let stepped = Self.seconds(until: 1_000) { time in
            time.note("a", isAwaited: true, at: 0)
            for moment in stride(from: 100, through: 500, by: 100) {
                time.step(at: UInt64(moment) * Self.second)
            }
            time.note("a", isAwaited: false, at: 900 * Self.second)
        }
        #expect(stepped == 5 + 1 + 100)
    }

    @Test func `no time counts while the job waits for room or another program`() {
        let waited = Self.seconds(until: 1_000) { time in
            time.wait(at: 10 * Self.second)
            time.begin(at: 500 * Self.second)
            time.wait(at: 503 * Self.second)
        }
        #expect(waited == 13)
    }
}
