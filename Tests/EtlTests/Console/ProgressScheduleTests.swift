import Testing

@testable import CommandLineTool

private let second: UInt64 = 1_000_000_000

@Suite struct ProgressScheduleTests {
    @Test func `a terminal is updated at once and at most ten times a second`() {
        var schedule = ProgressSchedule(isTerminal: true)
        var shown = 0
        for step in 0..<1_000
        where schedule.note(ProgressState(done: step), at: UInt64(step) * 10_000_000) != nil {
            shown += 1
        }
        #expect(shown == 100)
    }

    @Test func `a log gets a line every thirty seconds`() {
        var schedule = ProgressSchedule(isTerminal: false)
        let times = (0...95).filter { schedule.note(ProgressState(done: $0), at: UInt64($0) * second) != nil }
        #expect(times == [30, 60, 90])
    }
}

@Suite struct ProgressLineTests {
    @Test func `the line shows done, total, rate and time left`() {
        let line = ProgressLine(
            state: ProgressState(done: 12_300, total: 100_000), perSecond: 5_120, secondsLeft: 17.1)
        #expect(line.render() == "12,300/100,000 (12.3%), 5,120/s, 17.1 s left")
    }

    @Test func `while waiting for a service the line shows it instead of the rate`() {
        let state = ProgressState(
            done: 12_300, total: 100_000, rejected: 17, waitingFor: "isbndb")
        let line = ProgressLine(state: state, perSecond: 5_120, secondsLeft: 17.1)
        #expect(
            line.render()
                == "12,300/100,000 (12.3%), 5,120/s, 17 rejected, waiting for isbndb"
        )
        #expect(TextWidth.columns(line.render(width: 40)) <= 40)
    }

    @Test func `unknown values are left out`() {
        #expect(
            ProgressLine(state: ProgressState(done: 1), perSecond: nil, secondsLeft: nil).render()
                == "1 record")
        #expect(
            ProgressLine(state: ProgressState(done: 0, total: 0), perSecond: nil, secondsLeft: nil).render()
                == "0 records")
    }

    @Test func `a service name cannot break the line`() {
        let state = ProgressState(done: 1, waitingFor: "a\n\u{1B}[2J")
        #expect(!ProgressLine(state: state, perSecond: nil, secondsLeft: nil).render().contains("\n"))
    }
}

@Suite struct SmoothedRateTests {
    @Test func `the rate is that of the last seconds`() throws {
        var rate = SmoothedRate()
        for step in 0...100 { rate.note(step * 1_000, at: UInt64(step) * second / 10) }
        #expect(try abs(#require(rate.perSecond) - 10_000) < 1)
        #expect(try abs(#require(rate.secondsLeft(for: 50_000)) - 5) < 0.01)
        for step in 1...300 { rate.note(100_000 + step * 100, at: 10 * second + UInt64(step) * second / 10) }
        #expect(try abs(#require(rate.perSecond) - 1_000) < 100)
    }

    @Test func `a resumed job does not count earlier records`() throws {
        var rate = SmoothedRate()
        rate.note(900_000, at: 0)
        #expect(rate.perSecond == nil && rate.secondsLeft(for: 1) == nil)
        rate.note(900_500, at: second)
        rate.note(901_000, at: 2 * second)
        #expect(rate.perSecond == 500)
    }

    @Test func `preparation time does not count`() throws {
        var rate = SmoothedRate()
        for time in 0...20 as ClosedRange<UInt64> { rate.note(0, at: time * second / 10) }
        rate.note(1_000, at: 3 * second)
        #expect(rate.secondsLeft(for: 1) == nil)
        rate.note(11_000, at: 3 * second + second / 10)
        #expect(try abs(#require(rate.secondsLeft(for: 100_000)) - 1) < 0.01)
    }

    @Test func `at first the rate is the mean`() throws {
        var rate = SmoothedRate()
        for (count, time) in [(0, 0), (1, 1), (3_001, 2), (5_001, 3)] as [(Int, UInt64)] {
            rate.note(count, at: time * second)
        }
        #expect(try abs(#require(rate.perSecond) - 2_500) < 1)
    }

    @Test func `a clock that stops or goes back does no harm`() {
        var rate = SmoothedRate()
        for time in [5, 5, 3, 0] as [UInt64] { rate.note(10, at: time * second) }
        #expect(rate.perSecond == nil)
        rate.note(5, at: 6 * second)
        #expect(rate.perSecond == nil)
        #expect(rate.secondsLeft(for: 1) == nil)
    }
}
