/// Limits the rate of calls with the generic cell rate algorithm, a token bucket that needs no timer.
///
/// Its state is two numbers: the time at which the bucket is full again, and the end of a pause. Several
/// processes can share it. Times are microseconds on a clock of the caller's choice.
///
///     rate 3 per second, burst 2, all at time 0:   go · go · wait until 333,333 µs
public struct RateLimiter: Sendable, Hashable {
    /// A rate and a burst size.
    public struct Rate: Sendable, Hashable {
        /// Average time between two permits in microseconds; at least 1.
        public var interval: Int64
        /// Number of permits that can be taken at once after a rest; at least 1.
        public var burst: Int64

        /// A number of permits per second on average.
        public init(perSecond: Double, burst: Int = 1) {
            interval = max(1, Int64((1_000_000 / max(perSecond, 0.000_1)).rounded()))
            self.burst = Int64(max(1, burst))
        }
    }

    /// The longest accepted pause. A longer one means that the clock was set back or the service made a
    /// mistake.
    static let longestPause: Int64 = 86_400_000_000

    /// When the bucket is full again.
    public private(set) var fullAt: Int64
    /// No permits are granted before this time, because of a `Retry-After`.
    public private(set) var pausedUntil: Int64

    /// A limiter in a stored state; by default, the bucket is full.
    public init(fullAt: Int64 = 0, pausedUntil: Int64 = 0) {
        self.fullAt = fullAt
        self.pausedUntil = pausedUntil
    }

    /// The time from which a permit is available. It is available now if the result is not after `now`.
    public func nextPermit(at now: Int64, rate: Rate) -> Int64 {
        let pause = pausedUntil - now > Self.longestPause ? now : pausedUntil
        // A time further ahead than an empty bucket allows means that the clock was set back.
        let full = min(fullAt, now + rate.burst * rate.interval)
        return max(pause, full - (rate.burst - 1) * rate.interval)
    }

    /// Takes a permit if one is available.
    ///
    /// - Returns: nil if it was taken, otherwise the time at which to ask again.
    public mutating func take(at now: Int64, rate: Rate) -> Int64? {
        let next = nextPermit(at: now, rate: rate)
        guard next <= now else { return next }
        let full = min(fullAt, now + rate.burst * rate.interval)
        fullAt = max(full, now) + rate.interval
        return nil
    }

    /// Grants no permits before a time. Never shortens an existing pause.
    public mutating func pause(until instant: Int64, at now: Int64) {
        if pausedUntil - now > Self.longestPause { pausedUntil = now }
        pausedUntil = max(pausedUntil, min(instant, now + Self.longestPause))
    }
}
