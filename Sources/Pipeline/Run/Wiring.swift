/// Ties a flow together: opens each existential once and lays a typed channel between neighbours, so that nothing
/// is cast while batches travel.
struct Wiring {
    let scope: RunScope
    let bytesBeforeStage: Int
    private(set) var tasks: [RunTask] = []
    private(set) var counts: [Guarded<StageCounts>] = []

    init(scope: RunScope, bytesBeforeStage: Int) {
        self.scope = scope
        self.bytesBeforeStage = bytesBeforeStage
    }

    mutating func connect(_ flow: Flow, from start: Position) throws(StageFailure) {
        let permits = scope.permits(window: flow.window)
        add { for _ in 0..<flow.window { _ = await permits.send(()) } }
        let capacity = flow.steps.first?.capacity ?? 2
        var upstream: any Sendable = connect(
            flow.source, flow.sourceName, from: start, permits: permits, capacity: capacity)
        for (index, step) in flow.steps.enumerated() {
            let next = index + 1 < flow.steps.count ? flow.steps[index + 1].capacity : flow.window
            upstream = try connect(step.stage, step, after: upstream, capacity: next)
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

    private mutating func connect<Step: Stage>(
        _ stage: Step, _ step: Flow.Step, after upstream: any Sendable, capacity: Int
    ) throws(StageFailure) -> any Sendable {
        let input: Channel<TransferBox<Batch<Step.Input>>> = try input(of: step.name, from: upstream)
        let output: Channel<TransferBox<Batch<Step.Output>>> = scope.channel(
            capacity: capacity, weightLimit: bytesBeforeStage)
        let worker = StageWorker(
            name: step.name, stage: stage, input: input, output: output,
            counts: newCounts(step.name, workers: step.workers), scope: scope)
        let working = Guarded(step.workers)
        for _ in 0..<step.workers {
            add {
                await worker.run()
                // The last one out closes the door: no batch is in another worker's hands any more.
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
    ) throws(StageFailure) {
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
    ) throws(StageFailure) -> Channel<TransferBox<Batch<Content>>> {
        guard let channel = upstream as? Channel<TransferBox<Batch<Content>>> else {
            throw StageFailure(
                .configuration, "\(name) does not take what the stage before it gives.",
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
