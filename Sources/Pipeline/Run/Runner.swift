package import System

/// Runs a flow: one task for the source, one for each worker of each stage, and one for the sink, connected
/// by bounded channels.
///
/// Memory is bounded by ``Flow/window`` batches, whatever the length of the input. The sink commits in input
/// order, in whatever order workers finish. A run ends early after a ``StopSignal``, when everything already
/// read is still committed, or after an ``ETLError``, when nothing more is written.
package struct Runner: Sendable {
    private let flow: Flow
    private let clock: any RunClock
    private let retry: RetryPolicy
    private let jitter: @Sendable () -> Double

    /// - Parameters:
    ///   - flow: The flow to run.
    ///   - clock: Used to pause and to measure time.
    ///   - retry: Number of retries after a transient failure, and the pauses between them.
    ///   - jitter: Random numbers in 0..<1, for pauses between attempts. They do not affect results.
    package init(
        _ flow: Flow, clock: any RunClock = SystemClock(), retry: RetryPolicy = RetryPolicy(),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.flow = flow
        self.clock = clock
        self.retry = retry
        self.jitter = jitter
    }

    /// Runs until the input ends, `stop` is raised or something fails.
    ///
    /// - Parameters:
    ///   - start: ``Position/start``, or the end of the last batch that an earlier run committed.
    ///   - stop: Raise it to end the run early.
    ///   - observe: Called after each commit and before each retry, from the tasks of the run.
    package func run(
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

/// Connects the steps of a flow. It opens each existential once and makes a typed channel between neighbours,
/// so that no batch is cast at run time.
struct Wiring {
    let scope: RunScope
    let bytesBeforeStage: Int
    private(set) var tasks: [RunTask] = []
    private(set) var counts: [Guarded<StageCounts>] = []

    init(scope: RunScope, bytesBeforeStage: Int) {
        self.scope = scope
        self.bytesBeforeStage = bytesBeforeStage
    }

    mutating func connect(_ flow: Flow, from start: Position) throws(ETLError) {
        let permits = scope.permits(window: flow.window)
        add { for _ in 0..<flow.window { _ = await permits.send(()) } }
        let capacity = flow.stages.first?.capacity ?? 2
        var upstream: any Sendable = connect(
            flow.source, flow.sourceName, from: start, permits: permits, capacity: capacity)
        for (index, run) in flow.stages.enumerated() {
            let next = index + 1 < flow.stages.count ? flow.stages[index + 1].capacity : flow.window
            upstream = try connect(run.stage, run, after: upstream, capacity: next)
        }
        try connect(flow.sink, flow.sinkName, after: upstream, permits: permits)
    }

    private mutating func connect<Origin: Source>(
        _ source: Origin, _ name: String, from start: Position, permits: Channel<Void>, capacity: Int
    ) -> any Sendable {
        let output: Channel<TransferBox<Batch<Origin.Output>>> = scope.channel(
            capacity: capacity, weightLimit: bytesBeforeStage)
        let worker = SourceWorker(
            source: source, start: start, output: output, permits: permits, counts: newCounts(name),
            scope: scope)
        add { await worker.run() }
        return output
    }

    private mutating func connect<S: Stage>(
        _ stage: S, _ run: Flow.StageRun, after upstream: any Sendable, capacity: Int
    ) throws(ETLError) -> any Sendable {
        let input: Channel<TransferBox<Batch<S.Input>>> = try input(of: run.name, from: upstream)
        let output: Channel<TransferBox<Batch<S.Output>>> = scope.channel(
            capacity: capacity, weightLimit: bytesBeforeStage)
        let workers = S.remembersRecords ? 1 : run.workers
        let worker = StageWorker(
            name: run.name, stage: stage, input: input, output: output,
            counts: newCounts(run.name, workers: workers), scope: scope)
        let working = Guarded(workers)
        for _ in 0..<workers {
            add {
                await worker.run()
                // The last worker to end closes the output: no other worker still has a batch.
                let left = working.withLock { count in
                    count -= 1
                    return count
                }
                if left == 0 { output.finish() }
            }
        }
        return output
    }

    private mutating func connect<Target: Sink>(
        _ sink: Target, _ name: String, after upstream: any Sendable, permits: Channel<Void>
    ) throws(ETLError) {
        let worker = SinkWorker(
            name: name, sink: sink, input: try input(of: name, from: upstream), permits: permits,
            counts: newCounts(name), scope: scope)
        tasks.append(RunTask(executor: sink.executor) { await worker.run() })
    }

    private mutating func add(_ run: @escaping @Sendable () async -> Void) {
        tasks.append(
            RunTask {
                await run()
                return 0
            })
    }

    private func input<Content: Payload>(
        of name: String, from upstream: any Sendable
    ) throws(ETLError) -> Channel<TransferBox<Batch<Content>>> {
        guard let channel = upstream as? Channel<TransferBox<Batch<Content>>> else {
            throw ETLError(
                .configuration, "\(name) does not accept what the stage before it produces.",
                advice: "Check the order of the stages.")
        }
        return channel
    }

    private mutating func newCounts(_ name: String, workers: Int = 1) -> Guarded<StageCounts> {
        let new = Guarded(StageCounts(name: name, workers: workers))
        counts.append(new)
        return new
    }
}

/// A task of a run.
struct RunTask: Sendable {
    /// Executor; nil for the default thread pool.
    var executor: (any TaskExecutor)?
    /// Returns the number of records it committed: 0 for all tasks but the sink's.
    let run: @Sendable () async -> Int
}
