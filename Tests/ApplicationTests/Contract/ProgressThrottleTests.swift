import Contract
import TestSupport
import Testing

@Suite struct ProgressThrottleTests {
    /// The reports that pass the throttle, for a job with reports at these times.
    private func explicit(total: Int, _ reports: [(processed: Int, time: Int64)]) -> [(
        processed: Int, time: Int64
    )] {
        var cadence = ProgressThrottle(total: total, startedAt: 0)
        return reports.filter { cadence.isDue(processed: $0.processed, at: $0.time) }
    }

    @Test func `a steady job reports every 5 percent`() {
        let reports = (1...1_000).map { (processed: $0, time: Int64($0) * 10) }
        #expect(
            explicit(total: 1_000, reports).map(\.processed)
                == Array(stride(from: 50, through: 1_000, by: 50)))
    }

    @Test func `a job reports at most ten times a second`() {
        let reports = (1...1_000).map { (processed: $0, time: Int64($0)) }
        #expect(explicit(total: 1_000, reports).count == ProgressThrottle.maxPerWindow)
    }

    @Test func `the report of the beginning counts, and a job that goes on advances from there`() {
        var cadence = ProgressThrottle(total: 100, startedAt: 0)
        cadence.noteBeginning(processed: 50)
        func isDue(_ processed: Int) -> Bool { cadence.isDue(processed: processed, at: 0) }
        #expect(!isDue(54))
        let sent = (11...20).count { isDue($0 * 5) }
        #expect(sent == ProgressThrottle.maxPerWindow - 1)
    }

    @Test func `a delayed report is sent as soon as the limit allows`() {
        var cadence = ProgressThrottle(total: 100, startedAt: 0)
        func isDue(_ processed: Int, at time: Int64) -> Bool { cadence.isDue(processed: processed, at: time) }
        for count in 1...10 { #expect(isDue(count * 5, at: 0)) }
        #expect(!isDue(60, at: 999))
        #expect(isDue(60, at: 1_000))
    }

    @Test func `a slow job reports once a second, and not without progress`() {
        var cadence = ProgressThrottle(total: 1_000_000, startedAt: 0)
        func isDue(_ processed: Int, at time: Int64) -> Bool { cadence.isDue(processed: processed, at: time) }
        #expect(!isDue(10, at: 999))
        #expect(isDue(10, at: 1_000))
        #expect(!isDue(10, at: 5_000))
        #expect(isDue(11, at: 5_000))
    }

    @Test func `a job with few records reports each of them`() {
        let reports = (1...7).map { (processed: $0, time: Int64($0)) }
        #expect(explicit(total: 7, reports).count == 7)
    }

    @Test func `a job of unknown length reports once a second`() {
        let reports = (1...100).map { (processed: $0 * 1_000, time: Int64($0) * 100) }
        #expect(
            explicit(total: 0, reports).map(\.time) == Array(stride(from: 1_000, through: 10_000, by: 1_000)))
    }

    @Test func `a clock that goes back and counts that shrink are tolerated`() {
        var cadence = ProgressThrottle(total: 100, startedAt: 1_000)
        func isDue(_ processed: Int, at time: Int64) -> Bool { cadence.isDue(processed: processed, at: time) }
        #expect(isDue(50, at: 0))
        #expect(!isDue(20, at: 500_000))
        #expect(isDue(51, at: 0))
        #expect(isDue(1_000, at: 500_000))
    }

    @Test func `both limits hold for any input`() {
        var random = SeededGenerator(seed: 0xCADE)
        for _ in 0..<200 {
            let total = Int.random(in: 1...5_000, using: &random)
            var cadence = ProgressThrottle(total: total, startedAt: 0)
            var times: [Int64] = []
            var (processed, time, last) = (0, Int64(0), 0)
            while processed < total {
                processed += Int.random(in: 1...max(1, total / 50), using: &random)
                time += Int64.random(in: 0...200, using: &random)
                if cadence.isDue(processed: processed, at: time) {
                    times.append(time)
                    last = processed
                } else if times.filter({ time - $0 < ProgressThrottle.window }).count
                    < ProgressThrottle.maxPerWindow
                {
                    #expect(Double(processed - last) < max(1, Double(total) * 0.05))
                }
            }
            for (index, time) in times.enumerated() where index >= ProgressThrottle.maxPerWindow {
                #expect(time - times[index - ProgressThrottle.maxPerWindow] >= ProgressThrottle.window)
            }
        }
    }
}
