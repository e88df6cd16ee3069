import System

/// Shared state of the tasks of one run: state, clock, retry policy, stop signal and observer.
final class RunScope: Sendable {
    let clock: any RunClock
    let retry: RetryPolicy
    let jitter: @Sendable () -> Double
    let stop: StopSignal
    let observe: @Sendable (RunEvent) -> Void
    let machine = Guarded(RunStateMachine())
    private let cancellations = Guarded<[@Sendable () -> Void]>([])
    private let permits = Guarded<Channel<Void>?>(nil)
    /// Raised when something failed, to wake tasks that pause before a retry.
    private let failing = StopSignal()

    init(
        clock: any RunClock, retry: RetryPolicy, jitter: @escaping @Sendable () -> Double, stop: StopSignal,
        observe: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.clock = clock
        self.retry = retry
        self.jitter = jitter
        self.stop = stop
        self.observe = observe
    }

    /// The channel of permits. It is cancelled when a batch is given up, because the permits of later batches
    /// are then never returned and the source may be waiting for one.
    func permits(window: Int) -> Channel<Void> {
        // There are at most `window` permits, so returning one never waits.
        let permits: Channel<Void> = channel(capacity: window + 1)
        self.permits.withLock { $0 = permits }
        return permits
    }

    /// Makes a channel that is cancelled when the run fails.
    func channel<Element>(capacity: Int, weightLimit: Int = .max) -> Channel<Element> {
        let channel = Channel<Element>(capacity: capacity, weightLimit: weightLimit)
        cancellations.withLock { $0.append { channel.cancel() } }
        return channel
    }

    func fail(_ failure: ETLError) {
        guard machine.withLock({ $0.failed(failure) }) == .cancelChannels else { return }
        failing.raise()
        cancelChannels()
    }

    /// Wakes all tasks that wait at a channel, and drops the channels' contents.
    func cancelChannels() {
        let cancellations = cancellations.withLock { $0 }
        for cancel in cancellations { cancel() }
    }

    /// Whether something failed. Nothing more is written then.
    var isFailing: Bool { failing.isRaised }

    /// Whether the source may read on. Checks the stop signal.
    func acceptsBatches() -> Bool {
        let isRaised = stop.isRaised
        return machine.withLock { machine in
            if isRaised { machine.stopRequested() }
            return machine.acceptsBatches
        }
    }

    /// Runs `attempt`, and retries it after transient failures according to the policy. Throws the last
    /// failure.
    ///
    /// - Returns: nil if the run has to end before an attempt succeeded. The batch is given up: it is not
    ///   committed, and the next run reads it again.
    func retrying<Result: Sendable>(
        _ stage: String, _ counts: Guarded<StageCounts>, _ attempt: () async throws(ETLError) -> Result
    ) async throws(ETLError) -> Result? {
        var failed = 0
        while true {
            do {
                return try await attempt()
            } catch {
                failed += 1
                guard error.kind == .transient,
                    let pause = retry.pause(afterFailed: failed, jitter: jitter())
                else { throw error }
                if !isEnding {
                    counts.withLock { $0.retries += 1 }
                    observe(
                        .retrying(stage: stage, failure: error, attempt: failed + 1, pauseNanoseconds: pause))
                    await stop.pause(nanoseconds: pause, on: clock, or: failing)
                }
                if isEnding {
                    giveUp()
                    return nil
                }
            }
        }
    }

    /// Ends the run at a batch that is not committed, or after which none is.
    func giveUp() {
        machine.withLock { $0.gaveUp() }
        permits.withLock { $0 }?.cancel()
    }

    /// Whether the run is ending, so that no further attempts are made.
    private var isEnding: Bool { stop.isRaised || failing.isRaised }
}
