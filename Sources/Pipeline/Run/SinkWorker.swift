/// Commits batches in the order of the input, whatever the order in which they arrive: as many at once as wait and
/// the sink's transaction takes.
struct SinkWorker<Target: Sink>: Sendable {
    let name: String
    let sink: Target
    let input: Channel<Parcel<Batch<Target.Input>>>
    /// Gets a permit back for every batch committed.
    let permits: Channel<Void>
    let counts: Guarded<StageCounts>
    let scope: RunScope

    private typealias Waiting = Watermark<Parcel<Batch<Target.Input>>>

    /// - Returns: records committed.
    func run() async -> Int {
        var watermark = Waiting()
        var committed = 0
        var idleSince = scope.clock.nanoseconds()
        while let parcel = await input.receive() {
            Self.hold(parcel, in: &watermark)
            while !scope.isFailing, let group = nextGroup(&watermark) {
                let started = scope.clock.nanoseconds()
                let depth = input.depth + watermark.heldCount
                let marks = group.map { batch in
                    let rejects = batch.rejects.reduce(into: [String: Int]()) { $0[$1.code, default: 0] += 1 }
                    return (batch.end, batch.recordsRead, rejects)
                }
                let records = group.reduce(0) { $0 + $1.payload.count }
                do {
                    let isWritten: Void? = try await scope.retrying(name, counts) {
                        () async throws(StageFailure) in try await sink.write(group)
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
                let ended = scope.clock.nanoseconds()
                counts.withLock {
                    $0.batches += marks.count
                    $0.recordsIn += records
                    $0.recordsOut += records
                    $0.busy += ended - started
                    $0.blockedOnInput += started - idleSince
                    $0.deepest = max($0.deepest, depth)
                }
                idleSince = ended
                for (end, recordsRead, rejects) in marks {
                    committed += recordsRead
                    scope.observe(.committed(end: end, recordsRead: recordsRead, rejects: rejects))
                    _ = await permits.send(())
                }
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

    private static func hold(_ parcel: Parcel<Batch<Target.Input>>, in watermark: inout Waiting) {
        guard let arrived = parcel.open() else { return }
        watermark.insert(Parcel(arrived), sequence: arrived.sequence)
    }

    /// The batches whose turn it is, those among them that arrived while others were written; nil where the next
    /// one is still on its way.
    private func nextGroup(_ watermark: inout Waiting) -> [Batch<Target.Input>]? {
        while let parcel = input.receiveIfAny() { Self.hold(parcel, in: &watermark) }
        var group: [Batch<Target.Input>] = []
        while group.count < max(1, sink.batchesPerCommit), let batch = watermark.release()?.open() {
            group.append(batch)
        }
        return group.isEmpty ? nil : group
    }
}
