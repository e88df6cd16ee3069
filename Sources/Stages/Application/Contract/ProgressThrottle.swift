/// When to tell watchers how far a job is: at least every 5 % and at most ten times a second (contract.md
/// section 7).
///
/// A job so quick that the two collide keeps to the second: what was held back is told with the next report.
/// A job so slow that 5 % take long tells of any advance once a second, so that a watcher sees it live. Time
/// comes in with each report; the rule has no clock.
package struct ProgressThrottle: Sendable {
    /// Messages within any window of ``window`` milliseconds.
    package static let maxPerWindow = 10
    package static let window: Int64 = 1_000

    private let step: Int
    private var reportedCount = 0
    private var lastReported: Int64
    private var now: Int64
    /// Times of the last messages, written around: the oldest stands at `next`.
    private var sent: [Int64] = []
    private var next = 0

    /// - Parameters:
    ///   - total: records of the job, 0 where unknown: then only the pulse of one second is left.
    ///   - start: when the job began, in milliseconds of any steady clock.
    package init(total: Int, startedAt start: Int64) {
        // Rounded down, so that a step is never above 5 %.
        step = total > 0 ? max(1, total / 20) : Int.max
        lastReported = start
        now = start
    }

    /// Whether this report is to be told; if so, it counts as told.
    /// - Parameters:
    ///   - processed: records dealt with so far.
    ///   - time: now, by the clock of the start. A time before an earlier one counts as that.
    package mutating func isDue(processed: Int, at time: Int64) -> Bool {
        now = max(now, time)
        let advance = processed - reportedCount
        guard advance > 0, advance >= step || now - lastReported >= Self.window, hasRoom else { return false }
        reportedCount = processed
        lastReported = now
        if sent.count < Self.maxPerWindow {
            sent.append(now)
        } else {
            sent[next] = now
            next = (next + 1) % Self.maxPerWindow
        }
        return true
    }

    private var hasRoom: Bool {
        sent.count < Self.maxPerWindow || now - sent[next] >= Self.window
    }
}
