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
