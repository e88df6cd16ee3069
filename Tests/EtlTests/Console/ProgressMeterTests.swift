import Testing

@testable import etl

private let second: UInt64 = 1_000_000_000

@Suite struct ProgressMeterTests {
    @Test func aTerminalIsDrawnAtOnceAndAtMostTenTimesASecond() {
        var meter = ProgressMeter(isTerminal: true)
        var shown = 0
        for step in 0..<1_000
        where meter.note(ProgressState(done: step), at: UInt64(step) * 10_000_000) != nil {
            shown += 1
        }
        #expect(shown == 100)
    }

    @Test func aLogHasALineEveryThirtySecondsAndNoneBefore() {
        var meter = ProgressMeter(isTerminal: false)
        let times = (0...95).filter { meter.note(ProgressState(done: $0), at: UInt64($0) * second) != nil }
        #expect(times == [30, 60, 90])
    }
}
