/// Number of retries after a transient failure and the pauses between them: exponential backoff with jitter.
///
/// With `base` 1 s, the pause before attempt 2 is 0.5…1 s, before attempt 3 it is 1…2 s, before attempt 4 it
/// is 2…4 s, and so on up to `cap`. Half of the pause is fixed, so that a retry never follows at once. Half
/// is random, so that many retries do not come at once.
package struct RetryPolicy: Sendable, Hashable {
    /// Total number of attempts, including the first; at least 1.
    package var attempts: Int
    /// Maximum pause before the second attempt, in nanoseconds.
    package var base: UInt64
    /// Maximum pause before any attempt, in nanoseconds.
    package var cap: UInt64

    /// By default, three attempts, with pauses of at most 1 s and 2 s. Fewer than one attempt becomes one.
    package init(attempts: Int = 3, base: UInt64 = 1_000_000_000, cap: UInt64 = 30_000_000_000) {
        self.attempts = max(1, attempts)
        self.base = base
        self.cap = cap
    }

    /// The pause before the next attempt in nanoseconds; nil if no attempts are left.
    ///
    /// - Parameters:
    ///   - failed: Number of attempts that have failed, from 1.
    ///   - jitter: A random number in 0..<1.
    package func pause(afterFailed failed: Int, jitter: Double) -> UInt64? {
        guard failed < attempts else { return nil }
        let doublings = UInt64(min(max(failed - 1, 0), 32))
        let (grown, overflow) = base.multipliedReportingOverflow(by: 1 << doublings)
        let longest = overflow ? cap : min(grown, cap)
        return longest / 2 + UInt64(Double(longest / 2) * min(max(jitter, 0), 1))
    }
}
