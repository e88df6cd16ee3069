public import Pipeline

/// A clock that stands still until somebody waits on it: waiting moves it on, so no test sleeps.
public final class ManualClock: RunClock {
    private let time: Guarded<UInt64>
    private let epoch: Int64

    /// - Parameter epoch: Milliseconds since 1970 at which it starts.
    public init(epoch: Int64 = 1_700_000_000_000) {
        time = Guarded(0)
        self.epoch = epoch
    }

    /// Nanoseconds that were waited for since it was made.
    public func nanoseconds() -> UInt64 { time.withLock { $0 } }

    /// The epoch and what was waited for since.
    public func epochMilliseconds() -> Int64 { epoch + Int64(nanoseconds() / 1_000_000) }

    /// Moves the clock on at once.
    public func sleep(nanoseconds: UInt64) async {
        time.withLock { $0 += nanoseconds }
        await Task.yield()
    }

    /// Moves the clock on at once.
    public func block(nanoseconds: UInt64) { time.withLock { $0 += nanoseconds } }
}

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

/// SplitMix64: a generator whose whole state is its seed, so that a failing run can be had again.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The same seed gives the same numbers.
    public init(seed: UInt64) { state = seed }

    /// 64 bits that follow from the seed and the number of calls.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
