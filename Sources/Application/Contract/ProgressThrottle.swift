/// Decides when progress is reported: at least every 5 % and at most ten times a second.
///
/// In a fast job the second limit wins; the next report includes the progress that was held back. A slow job
/// reports any progress once a second, so that watchers see it move. The caller passes the time; the throttle
/// has no clock.
package struct ProgressThrottle: Sendable {
    /// Maximum number of messages within any window of ``window`` milliseconds.
    package static let maxPerWindow = 10
    package static let window: Int64 = 1_000

    private let step: Int
    private var reportedCount = 0
    private var lastReported: Int64
    private var now: Int64
    /// Times of the last messages, as a ring buffer: the oldest is at `next`.
    private var sent: [Int64] = []
    private var next = 0

    /// - Parameters:
    ///   - total: number of records of the job, or 0 if unknown. Then progress is reported once a second
    ///     only.
    ///   - start: when the job began, in milliseconds of any steady clock.
    package init(total: Int, startedAt start: Int64) {
        // Rounded down, so that a step is never above 5 %.
        step = total > 0 ? max(1, total / 20) : Int.max
        lastReported = start
        now = start
    }

    /// Records that a job was reported with the progress with which it begins.
    package mutating func noteBeginning(processed: Int) {
        reportedCount = processed
        note()
    }

    /// Whether to report this progress. If so, it counts as reported.
    ///
    /// - Parameters:
    ///   - processed: number of records processed so far.
    ///   - time: the current time, by the same clock as the start. A time before an earlier one counts as the
    ///     earlier one.
    package mutating func isDue(processed: Int, at time: Int64) -> Bool {
        now = max(now, time)
        let advance = processed - reportedCount
        guard advance > 0, advance >= step || now - lastReported >= Self.window, hasRoom else { return false }
        reportedCount = processed
        note()
        return true
    }

    private mutating func note() {
        lastReported = now
        if sent.count < Self.maxPerWindow {
            sent.append(now)
        } else {
            sent[next] = now
            next = (next + 1) % Self.maxPerWindow
        }
    }

    private var hasRoom: Bool {
        sent.count < Self.maxPerWindow || now - sent[next] >= Self.window
    }
}
