package import Pipeline
package import System

/// A clock that only advances when something waits on it, so that tests never sleep.
package final class ManualClock: RunClock {
    private let time: Guarded<UInt64>
    private let epoch: Int64

    /// - Parameter epoch: Its starting time in milliseconds since 1970.
    package init(epoch: Int64 = 1_700_000_000_000) {
        time = Guarded(0)
        self.epoch = epoch
    }

    /// Nanoseconds waited since it was made.
    package func nanoseconds() -> UInt64 { time.withLock { $0 } }

    /// The starting time plus the time waited since.
    package func epochMilliseconds() -> Int64 { epoch + Int64(nanoseconds() / 1_000_000) }

    /// Advances the clock at once.
    package func sleep(nanoseconds: UInt64) async {
        time.withLock { $0 += nanoseconds }
        await Task.yield()
    }

    /// Advances the clock at once.
    package func block(nanoseconds: UInt64) { time.withLock { $0 += nanoseconds } }
}

/// A stage that lets others overtake it: it yields a random number of times before and after each batch. The
/// seed makes a failing order reproducible.
package struct Delayed<S: Stage>: Stage {
    private let stage: S
    private let seed: UInt64

    /// Wraps a stage.
    package init(_ stage: S, seed: UInt64) {
        self.stage = stage
        self.seed = seed
    }

    /// As the wrapped stage.
    package static var remembersRecords: Bool { S.remembersRecords }

    /// Yields, runs the stage, and yields again.
    package func process(
        _ batch: consuming Batch<S.Input>
    ) async throws(ETLError) -> Batch<S.Output> {
        var random = SeededGenerator(seed: seed &+ UInt64(batch.sequence) &* 0x9E37_79B9)
        for _ in 0..<Int.random(in: 0...60, using: &random) { await Task.yield() }
        let result = try await stage.process(batch)
        for _ in 0..<Int.random(in: 0...60, using: &random) { await Task.yield() }
        return result
    }
}

extension Flow {
    /// The same flow with delays in every stage and a number of workers.
    package func delayed(seed: UInt64, workers: Int) -> Flow {
        var flow = self
        for index in flow.stages.indices {
            func wrap<S: Stage>(_ stage: S) -> any Stage { Delayed(stage, seed: seed &+ UInt64(index)) }
            flow.stages[index].stage = wrap(flow.stages[index].stage)
            flow.stages[index].workers = workers
        }
        return flow
    }
}

/// SplitMix64: its whole state is the seed, which makes failing runs reproducible.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The same seed gives the same numbers.
    package init(seed: UInt64) { state = seed }

    /// 64 bits that depend on the seed and the number of calls.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
