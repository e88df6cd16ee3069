public import Pipeline

/// A stage that lets others overtake it: it gives its thread away a random number of times before and after each
/// batch, from a seed, so that a failing order can be had again.
public struct Delayed<Step: Stage>: Stage {
    private let stage: Step
    private let seed: UInt64

    /// Wraps a stage.
    public init(_ stage: Step, seed: UInt64) {
        self.stage = stage
        self.seed = seed
    }

    /// Gives the thread away, asks the stage, gives it away again.
    public func process(
        _ batch: consuming Batch<Step.Input>
    ) async throws(StageFailure) -> Batch<Step.Output> {
        var random = SeededGenerator(seed: seed &+ UInt64(batch.sequence) &* 0x9E37_79B9)
        for _ in 0..<Int.random(in: 0...60, using: &random) { await Task.yield() }
        let result = try await stage.process(batch)
        for _ in 0..<Int.random(in: 0...60, using: &random) { await Task.yield() }
        return result
    }
}

extension Flow {
    /// The same flow with delays in every stage and so many workers.
    public func delayed(seed: UInt64, workers: Int) -> Flow {
        var flow = self
        for index in flow.steps.indices {
            func wrap<Step: Stage>(_ stage: Step) -> any Stage { Delayed(stage, seed: seed &+ UInt64(index)) }
            flow.steps[index].stage = wrap(flow.steps[index].stage)
            flow.steps[index].workers = workers
        }
        return flow
    }
}
