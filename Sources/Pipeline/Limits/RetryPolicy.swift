/// How often and after what pause something transient is tried again (contract.md section 8): exponential with
/// full jitter, `1 s, 2 s, 4 s …`, at most 30 s.
///
/// With `base` 1 s the pause before attempt 2 is somewhere in 0.5…1 s, before attempt 3 in 1…2 s, before attempt 4
/// in 2…4 s: half is fixed, so that a retry never follows at once, half is jitter, so that many do not come together.
public struct RetryPolicy: Sendable, Hashable {
    /// Attempts in all, the first included; at least 1.
    public var attempts: Int
    /// Longest pause before the second attempt, in nanoseconds.
    public var base: UInt64
    /// Longest pause at all, in nanoseconds.
    public var cap: UInt64

    /// Without arguments the policy of contract.md section 8. Fewer than one attempt count as one.
    public init(attempts: Int = 3, base: UInt64 = 1_000_000_000, cap: UInt64 = 30_000_000_000) {
        self.attempts = max(1, attempts)
        self.base = base
        self.cap = cap
    }

    /// Pause before the next attempt in nanoseconds; nil when there is none left.
    ///
    /// - Parameters:
    ///   - failed: Attempts that have failed, from 1.
    ///   - jitter: A random number in 0..<1.
    public func pause(afterFailed failed: Int, jitter: Double) -> UInt64? {
        guard failed < attempts else { return nil }
        let doublings = UInt64(min(max(failed - 1, 0), 32))
        let (grown, overflow) = base.multipliedReportingOverflow(by: 1 << doublings)
        let longest = overflow ? cap : min(grown, cap)
        return longest / 2 + UInt64(Double(longest / 2) * min(max(jitter, 0), 1))
    }
}
