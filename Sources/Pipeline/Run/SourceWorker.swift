/// Reads the input and lets a batch into the flow whenever the window has room.
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
        let outlet = Emitter<Origin.Output> { payload, end, recordsRead, rejects in
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
            try await source.read(from: start, into: outlet)
            // Returning because it was told to stop is no end of the input.
            let accepts = scope.acceptsBatches()
            scope.machine.withLock { if accepts { $0.sourceEnded() } }
        } catch {
            scope.fail(error)
        }
        output.finish()
    }
}
