/// One of a stage's workers: takes a batch, has it processed, hands it on.
struct StageWorker<Step: Stage>: Sendable {
    let name: String
    let stage: Step
    let input: Channel<TransferBox<Batch<Step.Input>>>
    let output: Channel<TransferBox<Batch<Step.Output>>>
    let counts: Guarded<StageCounts>
    let scope: RunScope

    func run() async {
        while true {
            let asked = scope.clock.nanoseconds()
            let depth = input.depth
            guard let batch = await input.receive()?.open() else { return }
            let started = scope.clock.nanoseconds()
            let recordsIn = batch.payload.count
            let rejectedBefore = batch.rejects.count

            let result: Batch<Step.Output>
            do {
                // The others are still taken, so that nobody before waits for room; those that precede
                // the batch given up are committed.
                guard let answer = try await process(consume batch) else { continue }
                result = answer
            } catch {
                return scope.fail(error)
            }

            let ended = scope.clock.nanoseconds()
            let (recordsOut, rejected) = (result.payload.count, result.rejects.count - rejectedBefore)
            let weight = max(1, result.payload.byteCount)
            let isSent = await output.send(TransferBox(consume result), weight: weight)
            let sent = scope.clock.nanoseconds()
            counts.withLock {
                $0.batches += 1
                $0.recordsIn += recordsIn
                $0.recordsOut += recordsOut
                $0.rejected += rejected
                $0.blockedOnInput += started - asked
                $0.busy += ended - started
                $0.blockedOnOutput += sent - ended
                $0.deepest = max($0.deepest, depth)
            }
            guard isSent else { return }
        }
    }

    /// Gives the stage a batch; nil where it was given up.
    ///
    /// A batch that is not tried again is the stage's alone: else the first byte that it adds would copy all.
    private func process(
        _ batch: consuming Batch<Step.Input>
    ) async throws(StageFailure) -> Batch<Step.Output>? {
        guard stage.retriesTransientFailures else { return try await stage.process(batch) }
        let kept = batch
        return try await scope.retrying(name, counts) { () async throws(StageFailure) in
            try await stage.process(kept)
        }
    }
}
