/// Commits batches in the order of the input, whatever the order in which they arrive: as many at once as wait and
/// the sink's transaction takes.
struct SinkWorker<Target: Sink>: Sendable {
    let name: String
    let sink: Target
    let input: Channel<TransferBox<Batch<Target.Input>>>
    /// Gets a permit back for every batch written.
    let permits: Channel<Void>
    let counts: Guarded<StageCounts>
    let scope: RunScope

    /// Nanoseconds for which a transaction is left open at the most: who reads may have to wait for its end.
    private static var longestTransaction: UInt64 { 500_000_000 }

    private typealias Waiting = Watermark<TransferBox<Batch<Target.Input>>>

    /// - Returns: records committed.
    func run() async -> Int {
        var watermark = Waiting()
        var written = UncommittedBatches()
        do {
            while let message = try await next(&written) {
                Self.hold(message, in: &watermark)
                while !scope.isFailing, let group = nextGroup(&watermark) {
                    guard try await write(group, depth: input.depth + watermark.heldCount, &written) else {
                        // Nothing can be committed after it: whoever waits for room here goes home.
                        scope.cancelChannels()
                        try await commit(&written)
                        return written.records
                    }
                }
            }
        } catch {
            scope.fail(error)
            return written.records
        }
        if watermark.heldCount > 0, !scope.machine.withLock({ $0.hasGivenUp || $0.failure != nil }) {
            scope.fail(
                StageFailure(
                    .bug,
                    "Batch \(watermark.next) never came to \(name), but \(watermark.heldCount) after it did.",
                    advice:
                        "A stage lost it or changed its number; nothing after it is committed. Please report it."
                ))
            return written.records
        }
        scope.machine.withLock { $0.sinkEnded() }
        guard scope.machine.withLock({ $0.isComplete }) else { return written.records }
        do { try await sink.finish() } catch { scope.fail(error) }
        return written.records
    }

    /// What arrives next; nil at the end. What was written is committed before anything is waited for.
    private func next(
        _ written: inout UncommittedBatches
    ) async throws(StageFailure) -> TransferBox<Batch<Target.Input>>? {
        if let message = input.receiveIfAny() { return message }
        try await commit(&written)
        let idleSince = scope.clock.nanoseconds()
        let message = await input.receive()
        let arrived = scope.clock.nanoseconds()
        counts.withLock { $0.blockedOnInput += arrived - idleSince }
        return message
    }

    /// Writes batches, and commits them where the transaction takes no more.
    ///
    /// - Returns: False where they were given up.
    private func write(
        _ group: consuming [Batch<Target.Input>], depth: Int, _ written: inout UncommittedBatches
    ) async throws(StageFailure) -> Bool {
        let started = scope.clock.nanoseconds()
        let marks = group.map { UncommittedBatches.Mark($0) }
        let records = group.reduce(0) { $0 + $1.payload.count }
        let batches = group
        let isWritten: Void? = try await scope.retrying(name, counts) { () async throws(StageFailure) in
            try await sink.write(batches)
        }
        guard isWritten != nil else { return false }
        let ended = scope.clock.nanoseconds()
        counts.withLock {
            $0.batches += marks.count
            $0.recordsIn += records
            $0.recordsOut += records
            $0.busy += ended - started
            $0.deepest = max($0.deepest, depth)
        }
        written.add(marks, at: started)
        for _ in marks { _ = await permits.send(()) }
        // A run's first batch is committed at once: so soon it is seen to go on.
        if !sink.leavesCommitting || written.records == 0
            || written.waiting.count >= sink.batchesPerCommit
            || ended - written.began >= Self.longestTransaction
        {
            try await commit(&written)
        }
        return true
    }

    /// Commits what was written, and tells of it.
    private func commit(_ written: inout UncommittedBatches) async throws(StageFailure) {
        guard let end = written.waiting.last?.end else { return }
        if sink.leavesCommitting {
            let started = scope.clock.nanoseconds()
            try await sink.commit(through: end)
            let ended = scope.clock.nanoseconds()
            counts.withLock { $0.busy += ended - started }
        }
        for mark in written.takeCommitted() {
            scope.observe(
                .committed(end: mark.end, recordsRead: mark.recordsRead, rejects: mark.rejects))
        }
    }

    private static func hold(_ message: TransferBox<Batch<Target.Input>>, in watermark: inout Waiting) {
        guard let arrived = message.open() else { return }
        watermark.insert(TransferBox(arrived), sequence: arrived.sequence)
    }

    /// The batches whose turn it is, those among them that arrived while others were written; nil where the next
    /// one is still on its way.
    private func nextGroup(_ watermark: inout Waiting) -> [Batch<Target.Input>]? {
        while let message = input.receiveIfAny() { Self.hold(message, in: &watermark) }
        let most = sink.leavesCommitting ? 1 : max(1, sink.batchesPerCommit)
        var group: [Batch<Target.Input>] = []
        while group.count < most, let batch = watermark.release()?.open() { group.append(batch) }
        return group.isEmpty ? nil : group
    }
}

/// The batches that a sink has written and not committed yet, and how many records it has committed.
struct UncommittedBatches {
    /// What is told of a batch when it is committed.
    struct Mark {
        let end: Position
        let recordsRead: Int
        /// Numbers of the records turned away, by the codes of the reasons.
        let rejects: [String: [Int]]

        init<Content>(_ batch: borrowing Batch<Content>) {
            end = batch.end
            recordsRead = batch.recordsRead
            var numbers: [String: [Int]] = [:]
            let rejects = batch.rejects.sorted {
                ($0.position.file, $0.position.record) < ($1.position.file, $1.position.record)
            }
            for (index, reject) in rejects.enumerated() {
                let number = index + batch.payload.count(before: reject.position)
                numbers[reject.code, default: []].append(number)
            }
            self.rejects = numbers
        }
    }

    private(set) var waiting: [Mark] = []
    /// When the first of those that wait was begun, by the run's clock.
    private(set) var began: UInt64 = 0
    /// Records committed.
    private(set) var records = 0

    mutating func add(_ written: [Mark], at began: UInt64) {
        if waiting.isEmpty { self.began = began }
        waiting += written
    }

    /// Says that all that wait are committed, and hands them out.
    mutating func takeCommitted() -> [Mark] {
        defer { waiting.removeAll(keepingCapacity: true) }
        records += waiting.reduce(0) { $0 + $1.recordsRead }
        return waiting
    }
}
