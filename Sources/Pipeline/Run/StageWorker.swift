import System

/// One worker of a stage: receives a batch, lets the stage process it, and sends the result.
struct StageWorker<S: Stage>: Sendable {
    let name: String
    let stage: S
    let input: Channel<TransferBox<Batch<S.Input>>>
    let output: Channel<TransferBox<Batch<S.Output>>>
    let counts: Guarded<StageCounts>
    let scope: RunScope

    func run() async {
        var watermark = Watermark<TransferBox<Batch<S.Input>>>()
        while true {
            let asked = scope.clock.nanoseconds()
            let depth = input.depth
            guard let batch = await next(&watermark)?.open() else { return }
            let started = scope.clock.nanoseconds()
            let recordsIn = batch.payload.count
            let rejectedBefore = batch.rejects.count

            let result: Batch<S.Output>
            do {
                // Other batches are still received, so that no step before this one waits for room. Batches
                // before the one given up are committed.
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

    /// The next batch to arrive, or the next one in the order of the input for a stage that remembers records;
    /// nil at the end. The number of batches that wait for an earlier one is bounded by the run's window.
    private func next(
        _ watermark: inout Watermark<TransferBox<Batch<S.Input>>>
    ) async -> TransferBox<Batch<S.Input>>? {
        guard S.remembersRecords else { return await input.receive() }
        while true {
            if let next = watermark.release() { return next }
            guard let arrived = await input.receive()?.open() else { return nil }
            let sequence = arrived.sequence
            watermark.insert(TransferBox(arrived), sequence: sequence)
        }
    }

    /// Passes a batch to the stage; nil if the batch was given up.
    ///
    /// If the stage does not retry, it becomes the only owner of the batch. A second reference would make its
    /// first change copy the whole batch.
    private func process(
        _ batch: consuming Batch<S.Input>
    ) async throws(ETLError) -> Batch<S.Output>? {
        guard stage.retriesTransientFailures else { return try await stage.process(batch) }
        let kept = batch
        return try await scope.retrying(name, counts) { () async throws(ETLError) in
            try await stage.process(kept)
        }
    }
}

/// Reads the input and sends a batch whenever the window has room.
struct SourceWorker<Origin: Source>: Sendable {
    let source: Origin
    let start: Position
    let output: Channel<TransferBox<Batch<Origin.Output>>>
    /// A permit for each batch that may be between source and sink.
    let permits: Channel<Void>
    let counts: Guarded<StageCounts>
    let scope: RunScope

    func run() async {
        let sent = Guarded((batches: 0, records: 0))
        let lastReturn = Guarded(scope.clock.nanoseconds())
        let emitter = Emitter<Origin.Output> { payload, end, recordsRead, rejects in
            let called = scope.clock.nanoseconds()
            guard scope.acceptsBatches(), await permits.receive() != nil, scope.acceptsBatches() else {
                return false
            }
            let before = sent.withLock { sent in
                defer { sent = (sent.batches + 1, sent.records + recordsRead) }
                return sent
            }
            let (count, weight, rejected) = (payload.count, payload.byteCount, rejects.count)
            let batch = Batch(
                sequence: before.batches, end: end, recordsRead: recordsRead,
                recordsBefore: before.records, payload: payload, rejects: rejects)
            let isSent = await output.send(TransferBox(batch), weight: max(1, weight))
            let now = scope.clock.nanoseconds()
            let worked = lastReturn.withLock { last in
                defer { last = now }
                return called - last
            }
            counts.withLock {
                $0.batches += 1
                $0.recordsIn += recordsRead
                $0.recordsOut += count
                $0.rejected += rejected
                $0.busy += worked
                $0.blockedOnOutput += now - called
            }
            return isSent
        }
        do {
            try await source.read(from: start, into: emitter)
            // A source that returns because of a stop has not reached the end of the input.
            let accepts = scope.acceptsBatches()
            scope.machine.withLock { if accepts { $0.sourceEnded() } }
        } catch {
            scope.fail(error)
        }
        output.finish()
    }
}
