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

/// How far a run is, as its line tells it.
struct ProgressState: Sendable, Hashable {
    /// Records committed, those of earlier runs of the job included.
    var done: Int
    /// Records in all; nil where that cannot be known.
    var total: Int?
    /// Records turned away.
    var rejected: Int
    /// Whom the run waits for, where it waits: `openlibrary until 12:04`.
    var waitingFor: String?

    init(done: Int, total: Int? = nil, rejected: Int = 0, waitingFor: String? = nil) {
        self.done = done
        self.total = total
        self.rejected = rejected
        self.waitingFor = waitingFor
    }
}

/// One line of progress: done and total, rate, time left, waiting for whom. Pure.
struct ProgressLine: Sendable {
    let state: ProgressState
    let perSecond: Double?
    let secondsLeft: Double?

    /// The line in at most so many columns.
    func render(width: Int = .max) -> String {
        var parts: [String] = []
        if let total = state.total {
            let share = total > 0 ? Double(state.done) / Double(total) : 1
            parts.append(
                "\(HumanText.count(state.done))/\(HumanText.count(total)) (\(HumanText.percent(share)))")
        } else {
            parts.append(HumanText.count(state.done, "record"))
        }
        if let perSecond { parts.append(HumanText.rate(perSecond)) }
        // Whom a run waits for has a pace of its own, and tells how long it takes: the run's own tells nothing then.
        if let secondsLeft, state.waitingFor == nil {
            parts.append("\(HumanText.duration(seconds: secondsLeft)) left")
        }
        if state.rejected > 0 { parts.append("\(HumanText.count(state.rejected)) rejected") }
        if let whom = state.waitingFor { parts.append("waiting for \(TextWidth.printable(whom))") }
        return TextWidth.cut(parts.joined(separator: ", "), to: width)
    }
}

/// The speed of something that counts up, smoothed: what happened in the last seconds matters, older things
/// fade. It is measured from the first count that rose: what went before was getting ready.
struct RateMeter: Sendable {
    /// Seconds after which a change of speed has come through by two thirds.
    private static let memory = 5.0
    /// Shorter steps are taken together: dividing by next to nothing gives any speed at all.
    private static let shortest: UInt64 = 100_000_000

    private var last: (time: UInt64, count: Int)?
    /// Whether the count has risen, and for how many seconds speed was measured since.
    private var hasRisen = false
    private var measured = 0.0
    /// Things a second; nil before there was time to measure.
    private(set) var perSecond: Double?

    /// Notes the count at a time, in nanoseconds of any clock that does not go back.
    mutating func note(_ count: Int, at time: UInt64) {
        guard let last else {
            self.last = (time, count)
            return
        }
        guard hasRisen else {
            hasRisen = count > last.count
            self.last = (time, count)
            return
        }
        guard time > last.time, time - last.time >= Self.shortest else { return }
        let seconds = Double(time - last.time) / 1e9
        let speed = Double(max(0, count - last.count)) / seconds
        // 1 − e^(−t/memory), near enough and without the exponential: old speed counts memory, new speed its
        // time.
        // At first there is less to remember: then the speed is the mean.
        let weight = seconds / (seconds + min(measured, Self.memory))
        measured += seconds
        perSecond = perSecond.map { $0 + (speed - $0) * weight } ?? speed
        self.last = (time, count)
    }

    /// Seconds until `remaining` more are counted; nil while nobody can tell.
    func secondsLeft(for remaining: Int) -> Double? {
        guard let perSecond, perSecond > 0 else { return nil }
        return Double(max(0, remaining)) / perSecond
    }
}
