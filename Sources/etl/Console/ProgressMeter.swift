/// When the progress line is shown and what it says. Pure: time is handed in.
///
/// On a terminal the line is drawn over and over, at most ten times a second. Elsewhere, in a log, it is a
/// line of its own every 30 seconds.
struct ProgressMeter: Sendable {
    /// Nanoseconds between two showings on a terminal.
    static let terminalInterval: UInt64 = 100_000_000
    /// Nanoseconds between two lines in a log.
    static let logInterval: UInt64 = 30_000_000_000

    private let interval: UInt64
    private var lastShown: UInt64?
    private var rate = RateMeter()

    init(isTerminal: Bool) {
        interval = isTerminal ? Self.terminalInterval : Self.logInterval
    }

    /// Notes how far the run is; the line when it is time to show it.
    mutating func note(_ state: ProgressState, at time: UInt64) -> ProgressLine? {
        rate.note(state.done, at: time)
        guard let lastShown else {
            // A terminal shows at once that something happens; a log waits until there is something to tell.
            self.lastShown = time
            return interval == Self.terminalInterval ? line(state) : nil
        }
        guard time >= lastShown, time - lastShown >= interval else { return nil }
        self.lastShown = time
        return line(state)
    }

    private func line(_ state: ProgressState) -> ProgressLine {
        ProgressLine(
            state: state, perSecond: rate.perSecond,
            secondsLeft: state.total.flatMap { rate.secondsLeft(for: $0 - state.done) })
    }
}
