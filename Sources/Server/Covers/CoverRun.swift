package import Contract

/// Fetching covers in the background: whether it runs, what the last run has left, and when the next one begins.
///
/// A run follows each change of the store. At most half of the time is spent on runs. What services have not answered is
/// asked again after an hour.
package struct CoverRun: Sendable {
    /// Time after which services are asked again for what they have not answered, in nanoseconds.
    static let retryPause: UInt64 = 3_600_000_000_000
    /// The shortest pause after a run, in nanoseconds.
    static let pause: UInt64 = 60_000_000_000

    package private(set) var isRunning = false
    /// Editions that are done, and all, of the run that is under way.
    package private(set) var progress: (done: Int, total: Int) = (0, 0)
    /// When the last run ended, in milliseconds since 1970; nil if none has.
    package private(set) var endedAt: Int64?
    /// What the last run that could end has found; nil if none could.
    package private(set) var counts: CoverCounts?
    /// Why the last run could not end, as a sentence; empty if it could.
    package private(set) var failure = ""
    /// The version of the store for which the last run began.
    private var version: UInt64?
    /// Times in nanoseconds of a monotonic clock.
    private var began: UInt64 = 0
    private var notBefore: UInt64 = 0
    /// Nil if nothing was left unanswered.
    private var retry: UInt64?

    package init() {}

    /// Begins a run if one is due.
    ///
    /// - Parameter version: The version of the store.
    /// - Returns: Whether the caller is to run it, and to call ``end(_:failure:at:now:)``.
    mutating func begin(_ version: UInt64, now: UInt64) -> Bool {
        let isDue = self.version != version || retry.map { now >= $0 } ?? false
        guard !isRunning, isDue, now >= notBefore else { return false }
        (isRunning, progress, began, self.version) = (true, (0, 0), now, version)
        return true
    }

    mutating func note(done: Int, total: Int) { progress = (done, total) }

    /// The run that was under way has ended.
    ///
    /// - Parameters:
    ///   - counts: What it has found; nil if it has failed.
    ///   - time: Milliseconds since 1970.
    mutating func end(_ counts: CoverCounts?, failure: String = "", at time: Int64, now: UInt64) {
        isRunning = false
        endedAt = time
        self.counts = counts ?? self.counts
        self.failure = failure
        notBefore = now + max(Self.pause, now - began)
        let isComplete = counts.map { $0.unanswered + $0.provisional == 0 } ?? false
        retry = isComplete ? nil : now + Self.retryPause
    }
}
