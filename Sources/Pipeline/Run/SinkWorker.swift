/// Commits batches in the order of the input, whatever the order in which they arrive.
struct SinkWorker<Target: Sink>: Sendable {
    let name: String
    let sink: Target
    let input: Channel<Parcel<Batch<Target.Input>>>
    /// Gets a permit back for every batch committed.
    let permits: Channel<Void>
    let counts: Guarded<StageCounts>
    let scope: RunScope

    /// - Returns: records committed.
    func run() async -> Int {
        var watermark = Watermark<Parcel<Batch<Target.Input>>>()
        var committed = 0
        var idleSince = scope.clock.nanoseconds()
        while let parcel = await input.receive() {
            guard let arrived = parcel.open() else { continue }
            watermark.insert(Parcel(arrived), sequence: arrived.sequence)
            while !scope.isFailing, let batch = watermark.release()?.open() {
                let started = scope.clock.nanoseconds()
                let depth = input.depth + watermark.heldCount
                let (end, recordsRead, rejected) = (batch.end, batch.recordsRead, batch.rejects.count)
                let records = batch.payload.count
                do {
                    let isWritten: Void? = try await scope.retrying(name, counts) {
                        () async throws(StageFailure) in try await sink.write(batch)
                    }
                    guard isWritten != nil else {
                        // Nothing can be committed after it: whoever waits for room here goes home.
                        scope.cancelChannels()
                        return committed
                    }
                } catch {
                    scope.fail(error)
                    return committed
                }
                committed += recordsRead
                let ended = scope.clock.nanoseconds()
                counts.withLock {
                    $0.batches += 1
                    $0.recordsIn += records
                    $0.recordsOut += records
                    $0.busy += ended - started
                    $0.blockedOnInput += started - idleSince
                    $0.deepest = max($0.deepest, depth)
                }
                idleSince = ended
                scope.observe(.committed(end: end, recordsRead: recordsRead, rejected: rejected))
                _ = await permits.send(())
            }
        }
        if watermark.heldCount > 0, !scope.machine.withLock({ $0.hasGivenUp || $0.failure != nil }) {
            scope.fail(
                StageFailure(
                    .bug,
                    "Batch \(watermark.next) never came to \(name), but \(watermark.heldCount) after it did.",
                    advice:
                        "A stage lost it or changed its number; nothing after it is committed. Please report it."
                ))
            return committed
        }
        scope.machine.withLock { $0.sinkEnded() }
        guard scope.machine.withLock({ $0.isComplete }) else { return committed }
        do { try await sink.finish() } catch { scope.fail(error) }
        return committed
    }
}
