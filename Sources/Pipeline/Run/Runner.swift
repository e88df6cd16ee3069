/// Runs a flow: a task for the source, one for each worker of each stage, one for the sink, with bounded channels
/// between them.
///
/// Memory is bounded by ``Flow/window`` batches, whatever the length of the input; the sink commits in input order,
/// whatever the order in which workers finish. What ends a run early is either a ``StopSignal``, after which all that
/// was read is still committed, or a ``StageFailure``, after which nothing more is written.
public struct Runner: Sendable {
    private let flow: Flow
    private let clock: any RunClock
    private let retry: RetryPolicy
    private let jitter: @Sendable () -> Double

    /// - Parameters:
    ///   - flow: What is run.
    ///   - clock: By which it pauses and counts time.
    ///   - retry: How often and after what pause a transient failure is tried again.
    ///   - jitter: Random numbers in 0..<1, for pauses between attempts. They touch no result.
    public init(
        _ flow: Flow, clock: any RunClock = SystemClock(), retry: RetryPolicy = RetryPolicy(),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.flow = flow
        self.clock = clock
        self.retry = retry
        self.jitter = jitter
    }

    /// Runs until the input is at its end, `stop` is raised or something fails.
    ///
    /// - Parameters:
    ///   - start: ``Position/start``, or the end of the last batch that an earlier run committed.
    ///   - stop: Raised by whoever wants the run to end early.
    ///   - observe: Told of each commit and each retry, from the tasks of the run.
    public func run(
        from start: Position = .start, stop: StopSignal = StopSignal(),
        observing observe: @escaping @Sendable (RunEvent) -> Void = { _ in }
    ) async -> RunReport {
        let began = clock.nanoseconds()
        let scope = RunScope(clock: clock, retry: retry, jitter: jitter, stop: stop, observe: observe)
        var wiring = Wiring(scope: scope, bytesBeforeStage: flow.bytesBeforeStage)
        do {
            try wiring.connect(flow, from: start)
        } catch {
            return RunReport(outcome: .failed(error), recordsCommitted: 0, stages: [], elapsed: 0)
        }
        let tasks = wiring.tasks
        let committed = await withTaskGroup(of: Int.self) { group in
            for task in tasks { group.addTask(executorPreference: task.executor) { await task.run() } }
            return await group.reduce(0, +)
        }
        return RunReport(
            outcome: scope.machine.withLock { $0.outcome }, recordsCommitted: committed,
            stages: wiring.counts.map { counts in counts.withLock { $0 } },
            elapsed: clock.nanoseconds() - began)
    }
}
