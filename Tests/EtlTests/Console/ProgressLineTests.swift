import Testing

@testable import etl

@Suite struct ProgressLineTests {
    @Test func theLineTellsDoneTotalRateAndTimeLeft() {
        let line = ProgressLine(
            state: ProgressState(done: 12_300, total: 100_000), perSecond: 5_120, secondsLeft: 17.1)
        #expect(line.render() == "12,300/100,000 (12.3 %), 5,120/s, 17.1 s left")
    }

    @Test func whoIsWaitedForTellsTheTimeLeftInPlaceOfTheLine() {
        let state = ProgressState(
            done: 12_300, total: 100_000, rejected: 17, waitingFor: "isbndb")
        let line = ProgressLine(state: state, perSecond: 5_120, secondsLeft: 17.1)
        #expect(
            line.render()
                == "12,300/100,000 (12.3 %), 5,120/s, 17 rejected, waiting for isbndb"
        )
        #expect(TextWidth.columns(line.render(width: 40)) <= 40)
    }

    @Test func whatIsNotKnownIsLeftOut() {
        #expect(
            ProgressLine(state: ProgressState(done: 1), perSecond: nil, secondsLeft: nil).render()
                == "1 record")
        #expect(
            ProgressLine(state: ProgressState(done: 0, total: 0), perSecond: nil, secondsLeft: nil).render()
                == "0/0 (100.0 %)")
    }

    @Test func aNameThatIsWaitedForCannotBreakTheLine() {
        let state = ProgressState(done: 1, waitingFor: "a\n\u{1B}[2J")
        #expect(!ProgressLine(state: state, perSecond: nil, secondsLeft: nil).render().contains("\n"))
    }
}
