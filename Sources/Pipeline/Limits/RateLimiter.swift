/// How fast something may be asked: the generic cell rate algorithm, a token bucket that needs no timer.
///
/// All it keeps is the instant at which the bucket would be full again, so its state is two numbers that several
/// processes can share. Instants are microseconds on one clock; the caller says which.
///
///     rate 3 a second, burst 2, all at instant 0:   go · go · wait until 333,333 µs
public struct RateLimiter: Sendable, Hashable {
    /// How many, how fast.
    public struct Rate: Sendable, Hashable {
        /// Microseconds between two permits in the long run; at least 1.
        public var interval: Int64
        /// Permits that may be taken at once after a rest; at least 1.
        public var burst: Int64

        /// So many a second in the long run.
        public init(perSecond: Double, burst: Int = 1) {
            interval = max(1, Int64((1_000_000 / max(perSecond, 0.000_1)).rounded()))
            self.burst = Int64(max(1, burst))
        }
    }

    /// The longest pause that is believed: beyond it the clock was set back, or a service made a mistake.
    static let longestPause: Int64 = 86_400_000_000

    /// When the bucket is full again.
    public private(set) var fullAt: Int64
    /// Nobody is let through before this instant: what a `Retry-After` asked for.
    public private(set) var pausedUntil: Int64

    /// A limiter as it was left; rested, if nothing is given.
    public init(fullAt: Int64 = 0, pausedUntil: Int64 = 0) {
        self.fullAt = fullAt
        self.pausedUntil = pausedUntil
    }

    /// The instant from which a permit may be taken; `now` or earlier: at once.
    public func nextPermit(at now: Int64, rate: Rate) -> Int64 {
        let pause = pausedUntil - now > Self.longestPause ? now : pausedUntil
        // A bucket that is emptier than empty was filled by a clock that has since been set back.
        let full = min(fullAt, now + rate.burst * rate.interval)
        return max(pause, full - (rate.burst - 1) * rate.interval)
    }

    /// Takes a permit if there is one.
    ///
    /// - Returns: nil where it was taken, else the instant from which to ask again.
    public mutating func take(at now: Int64, rate: Rate) -> Int64? {
        let next = nextPermit(at: now, rate: rate)
        guard next <= now else { return next }
        let full = min(fullAt, now + rate.burst * rate.interval)
        fullAt = max(full, now) + rate.interval
        return nil
    }

    /// Lets nobody through before an instant; an earlier pause never shortens a later one.
    public mutating func pause(until instant: Int64, at now: Int64) {
        if pausedUntil - now > Self.longestPause { pausedUntil = now }
        pausedUntil = max(pausedUntil, min(instant, now + Self.longestPause))
    }
}
