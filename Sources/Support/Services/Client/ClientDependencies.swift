package import System

/// Dependencies of a ``ServiceClient``, so that tests can replace them.
package struct ClientDependencies: Sendable {
    package var transport: any HTTPTransport
    package var limiter: any LimiterStore
    /// Nil if answers are not cached.
    package var cache: (any AnswerCache)?
    package var clock: any RunClock
    /// Ends all waiting.
    package var stop: StopSignal
    package var waitPolicy: SharedWaitPolicy
    package var retry = RetryPolicy()
    /// Random numbers in 0..<1 for the pauses between attempts. They do not affect results.
    package var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }
    /// Called with the service's status whenever it changes.
    package var observe: (@Sendable (ServiceStatus) -> Void)?
    /// Time for which an incomplete batch waits for more keys, in nanoseconds.
    package var linger: UInt64 = 20_000_000
    /// Maximum number of unanswered keys, and of mismatches, that a client remembers. This bounds memory if a
    /// service is silent for a whole library.
    package var rememberedKeys = 65_536
    /// Longest pause of a service that is waited for, in nanoseconds. After a longer one, keys are left for another run.
    package var longestPause: UInt64 = 150_000_000_000
    /// Maximum number of requests of the run; nil for no limit.
    package var budget: CallBudget?
    /// Cached answers from before this instant, in milliseconds since 1970, have expired and stand in for no
    /// answer; all others are valid. Nil if the lifetime of answers decides.
    package var refreshesBefore: Int64?

    package init(
        transport: any HTTPTransport, limiter: any LimiterStore, cache: (any AnswerCache)? = nil,
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        waitPolicy: SharedWaitPolicy = SharedWaitPolicy(.noTimeout)
    ) {
        self.transport = transport
        self.limiter = limiter
        self.cache = cache
        self.clock = clock
        self.stop = stop
        self.waitPolicy = waitPolicy
    }

    /// Microseconds since 1970. ``LimiterState`` uses this clock because processes share it.
    var instant: Int64 { clock.epochMilliseconds() * 1_000 }
}
