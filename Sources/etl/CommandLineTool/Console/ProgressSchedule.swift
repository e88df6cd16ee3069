/// Decides when a progress line is shown, and computes it. Time is passed in.
///
/// On a terminal the line is redrawn at most ten times a second. In a log there is a new line every 30
/// seconds.
struct ProgressSchedule: Sendable {
    /// Nanoseconds between two updates on a terminal.
    static let terminalInterval: UInt64 = 100_000_000
    /// Nanoseconds between two lines in a log.
    static let logInterval: UInt64 = 30_000_000_000

    private let interval: UInt64
    private var lastShown: UInt64?
    private var rate = SmoothedRate()

    init(isTerminal: Bool) {
        interval = isTerminal ? Self.terminalInterval : Self.logInterval
    }

    /// Records how far the run is. Returns a line if it is time to show one.
    mutating func note(_ state: ProgressState, at time: UInt64) -> ProgressLine? {
        rate.note(state.done, at: time)
        guard let lastShown else {
            // A terminal shows at once that something happens; a log waits for the first interval.
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

/// How far a run is.
struct ProgressState: Sendable, Hashable {
    /// Records committed, including those of earlier runs of the job.
    var done: Int
    /// Total number of records; nil if unknown.
    var total: Int?
    /// Records rejected.
    var rejected: Int
    /// The services that the run waits for: `openlibrary (34 answers)`; nil if it does not wait.
    var waitingFor: String?

    init(done: Int, total: Int? = nil, rejected: Int = 0, waitingFor: String? = nil) {
        self.done = done
        self.total = total
        self.rejected = rejected
        self.waitingFor = waitingFor
    }
}

/// One line of progress: done and total, rate, time left, rejects, services waited for.
struct ProgressLine: Sendable {
    let state: ProgressState
    let perSecond: Double?
    let secondsLeft: Double?

    /// The line in at most `width` columns.
    func render(width: Int = .max) -> String {
        var parts: [String] = []
        if let total = state.total, total > 0 {
            let share = Double(state.done) / Double(total)
            parts.append(
                "\(HumanText.count(state.done))/\(HumanText.count(total)) (\(HumanText.percent(share)))")
        } else {
            parts.append(HumanText.count(state.done, "record"))
        }
        if let perSecond { parts.append(HumanText.rate(perSecond)) }
        // While the run waits, its own rate says nothing about the time left. `waitingFor` has the services'
        // time.
        if let secondsLeft, state.waitingFor == nil {
            parts.append("\(HumanText.duration(seconds: secondsLeft)) left")
        }
        if state.rejected > 0 { parts.append("\(HumanText.count(state.rejected)) rejected") }
        if let services = state.waitingFor { parts.append("waiting for \(TextWidth.printable(services))") }
        return TextWidth.cut(parts.joined(separator: ", "), to: width)
    }
}

/// The rate of a growing count, smoothed so that the last seconds weigh most. Measuring begins when the count
/// first rises; the time before that was preparation.
struct SmoothedRate: Sendable {
    /// Seconds after which two thirds of a change in speed are visible.
    private static let memory = 5.0
    /// Shorter steps are merged: dividing by a tiny interval gives meaningless rates. In nanoseconds.
    private static let shortest: UInt64 = 100_000_000

    private var last: (time: UInt64, count: Int)?
    /// Whether the count has risen, and the seconds measured since then.
    private var hasRisen = false
    private var measured = 0.0
    /// Counts per second; nil until enough time was measured.
    private(set) var perSecond: Double?

    /// Records the count at a time, in nanoseconds of a monotonic clock.
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
        // Approximates 1 − e^(−t/memory) without the exponential: the old speed has the weight `memory`, the
        // new speed its duration. Before `memory` seconds are measured, the result is the mean.
        let weight = seconds / (seconds + min(measured, Self.memory))
        measured += seconds
        perSecond = perSecond.map { $0 + (speed - $0) * weight } ?? speed
        self.last = (time, count)
    }

    /// Seconds until `remaining` more are counted; nil while unknown.
    func secondsLeft(for remaining: Int) -> Double? {
        guard let perSecond, perSecond > 0 else { return nil }
        return Double(max(0, remaining)) / perSecond
    }
}
