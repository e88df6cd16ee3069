/// Limits the rate of calls with the generic cell rate algorithm, a token bucket that needs no timer.
///
/// Its state is two numbers: the time at which the bucket is full again, and the end of a pause. Several
/// processes can share it. Times are microseconds on a clock of the caller's choice.
///
///     rate 3 per second, burst 2, all at time 0:   go · go · wait until 333,333 µs
package struct RateLimiter: Sendable, Hashable {
    /// A rate and a burst size.
    package struct Rate: Sendable, Hashable {
        /// Average time between two permits in microseconds; at least 1.
        package var interval: Int64
        /// Number of permits that can be taken at once after a rest; at least 1.
        package var burst: Int64

        /// The slowest and the fastest rate, in permits per second.
        private static let rates = 0.000_1...1_000_000
        /// The largest burst. Times stay far from overflow.
        private static let bursts = 1...1_000_000

        /// A number of permits per second on average, from 0.0001 to 1,000,000, and a burst from 1 to
        /// 1,000,000. Other numbers are clamped; a rate that is not a number becomes the slowest.
        package init(perSecond: Double, burst: Int = 1) {
            let (slowest, fastest) = (Self.rates.lowerBound, Self.rates.upperBound)
            let rate = perSecond > slowest ? min(perSecond, fastest) : slowest
            interval = Int64((1_000_000 / rate).rounded())
            self.burst = Int64(min(max(burst, Self.bursts.lowerBound), Self.bursts.upperBound))
        }
    }

    /// The longest accepted pause. A longer one means that the state is damaged.
    static let longestPause: Int64 = 86_400_000_000
    /// Clocks of one machine that differ by at most this were not set back.
    static let clockTolerance: Int64 = 1_000_000

    /// When the bucket is full again.
    package private(set) var fullAt: Int64
    /// No permits are granted before this time, because of a `Retry-After`.
    package private(set) var pausedUntil: Int64

    /// A limiter in a stored state; by default, the bucket is full.
    package init(fullAt: Int64 = 0, pausedUntil: Int64 = 0) {
        self.fullAt = fullAt
        self.pausedUntil = pausedUntil
    }

    /// Moves all times by an interval, because the clock was set back by it.
    mutating func shift(by interval: Int64) {
        fullAt += interval
        pausedUntil += interval
    }

    /// Discards times that no rate and no pause can lead to.
    mutating func discardImpossibleTimes(at now: Int64, rate: Rate) {
        fullAt = min(fullAt, now + rate.burst * rate.interval)
        if pausedUntil > now + Self.longestPause + Self.clockTolerance { pausedUntil = now }
    }

    /// The time from which a permit is available. It is available now if the result is not after `now`.
    package func nextPermit(rate: Rate) -> Int64 {
        max(pausedUntil, fullAt - (rate.burst - 1) * rate.interval)
    }

    /// Takes a permit if one is available.
    ///
    /// - Returns: nil if it was taken, otherwise the time at which to ask again.
    package mutating func take(at now: Int64, rate: Rate) -> Int64? {
        discardImpossibleTimes(at: now, rate: rate)
        let next = nextPermit(rate: rate)
        guard next <= now else { return next }
        fullAt = max(fullAt, now) + rate.interval
        return nil
    }

    /// Grants no permits for a time, at most a day. Never shortens an existing pause.
    package mutating func pause(for microseconds: Int64, at now: Int64) {
        pausedUntil = max(pausedUntil, now + min(microseconds, Self.longestPause))
    }
}
