/// What the tasks of one run share: its life, its clock, its policy and who is told.
final class RunScope: Sendable {
    let clock: any RunClock
    let retry: RetryPolicy
    let jitter: @Sendable () -> Double
    let stop: StopSignal
    let observe: @Sendable (RunEvent) -> Void
    let machine = Guarded(RunStateMachine())
    private let cancellations = Guarded<[@Sendable () -> Void]>([])

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

    /// Makes a channel that is cancelled when the run fails.
    func channel<Element>(capacity: Int, weightLimit: Int = .max) -> Channel<Element> {
        let channel = Channel<Element>(capacity: capacity, weightLimit: weightLimit)
        cancellations.withLock { $0.append { channel.cancel() } }
        return channel
    }

    func fail(_ failure: StageFailure) {
        guard machine.withLock({ $0.failed(failure) }) == .cancelChannels else { return }
        let cancellations = cancellations.withLock { $0 }
        for cancel in cancellations { cancel() }
    }

    /// Whether the source reads on. Looks at the stop signal.
    func acceptsBatches() -> Bool {
        let isRaised = stop.isRaised
        return machine.withLock { machine in
            if isRaised { machine.stopRequested() }
            return machine.acceptsBatches
        }
    }

    /// Runs `attempt` again after transient failures, as the policy says. The last failure is thrown.
    func retrying<Result: Sendable>(
        _ stage: String, _ counts: Guarded<StageCounts>, _ attempt: () async throws(StageFailure) -> Result
    ) async throws(StageFailure) -> Result {
        var failed = 0
        while true {
            do {
                return try await attempt()
            } catch {
                failed += 1
                guard error.kind == .transient, !stop.isRaised,
                    let pause = retry.pause(afterFailed: failed, jitter: jitter())
                else { throw error }
                counts.withLock { $0.retries += 1 }
                observe(.retrying(stage: stage, failure: error, attempt: failed + 1, pauseNanoseconds: pause))
                await stop.pause(nanoseconds: pause, on: clock)
            }
        }
    }
}
