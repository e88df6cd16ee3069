package import Pipeline

/// What a ``ServiceClient`` works with: everything from outside, so that a test has it in hand.
package struct ClientDependencies: Sendable {
    package var transport: any HTTPTransport
    package var pace: any LimiterStore
    /// nil where nothing is kept.
    package var cache: (any AnswerCache)?
    package var clock: any RunClock
    /// Ends all waiting.
    package var stop: StopSignal
    package var waitPolicy: SharedWaitPolicy
    package var retry = RetryPolicy()
    /// Random numbers in 0..<1, for pauses between attempts. They touch no result.
    package var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }
    /// Told how the service stands whenever that has changed.
    package var observe: (@Sendable (ServiceStatus) -> Void)?
    /// Nanoseconds that a batch which is not full waits for more.
    package var linger: UInt64 = 20_000_000
    /// Keys that a desk remembers by itself, of those left open and of those in whose place other books came: so much
    /// memory a service takes that is silent for a whole library, and no more.
    package var rememberedKeys = 65_536

    package init(
        transport: any HTTPTransport, pace: any LimiterStore, cache: (any AnswerCache)? = nil,
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        waitPolicy: SharedWaitPolicy = SharedWaitPolicy(.patient)
    ) {
        self.transport = transport
        self.pace = pace
        self.cache = cache
        self.clock = clock
        self.stop = stop
        self.waitPolicy = waitPolicy
    }

    /// Microseconds since 1970: the clock that ``LimiterState`` is kept by, for processes share it.
    var instant: Int64 { clock.epochMilliseconds() * 1_000 }
}
