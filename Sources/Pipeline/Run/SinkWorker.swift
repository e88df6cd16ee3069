import System

/// Commits batches in the order of the input, in whatever order they arrive. One transaction takes all
/// batches that wait, up to the sink's limit.
struct SinkWorker<Target: Sink>: Sendable {
    let name: String
    let sink: Target
    let input: Channel<TransferBox<Batch<Target.Input>>>
    /// A permit is returned to it for every batch written.
    let permits: Channel<Void>
    let counts: Guarded<StageCounts>
    let scope: RunScope

    /// Maximum time in nanoseconds that a transaction stays open, because readers may have to wait for its
    /// end, and a kill loses its writes.
    private static var longestTransaction: UInt64 { 5_000_000_000 }

    private typealias Waiting = Watermark<TransferBox<Batch<Target.Input>>>

    /// - Returns: The number of records committed.
    func run() async -> Int {
        var watermark = Waiting()
        var written = UncommittedBatches()
        do {
            while let message = try await next(&written) {
                Self.hold(message, in: &watermark)
                while !scope.isFailing, let group = nextGroup(&watermark) {
                    let isWritten = try await write(
                        group, depth: input.depth + watermark.heldCount, &written)
                    if isWritten, scope.stop.dropsLaterBatches { scope.giveUp() }
                    guard isWritten, !scope.stop.dropsLaterBatches else {
                        // No later batch is committed: end the workers that wait for room here.
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
                ETLError(
                    .bug,
                    "\(name) did not receive batch \(watermark.next), but received \(watermark.heldCount) later ones.",
                    advice:
                        "A stage lost or renumbered it. Later batches were not committed. Please report this bug."
                ))
            return written.records
        }
        scope.machine.withLock { $0.sinkEnded() }
        guard scope.machine.withLock({ $0.isComplete }) else { return written.records }
        do { try await sink.finish() } catch { scope.fail(error) }
        return written.records
    }

    /// The next batch to arrive; nil at the end. Written batches are committed before waiting.
    private func next(
        _ written: inout UncommittedBatches
    ) async throws(ETLError) -> TransferBox<Batch<Target.Input>>? {
        if let message = input.receiveIfAny() { return message }
        try await commit(&written)
        let idleSince = scope.clock.nanoseconds()
        let message = await input.receive()
        let arrived = scope.clock.nanoseconds()
        counts.withLock { $0.blockedOnInput += arrived - idleSince }
        return message
    }

    /// Writes batches, and commits them if the transaction is full.
    ///
    /// - Returns: False if they were given up.
    private func write(
        _ group: consuming [Next], depth: Int, _ written: inout UncommittedBatches
    ) async throws(ETLError) -> Bool {
        let started = scope.clock.nanoseconds()
        let marks = group.map(\.mark)
        let batches = group.map(\.batch)
        let records = batches.reduce(0) { $0 + $1.payload.count }
        let isWritten: Void? = try await scope.retrying(name, counts) { () async throws(ETLError) in
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
        // The first batch of a run is committed at once, so that progress is visible early.
        if !sink.defersCommit || written.records == 0
            || written.waiting.count >= sink.batchesPerCommit
            || ended - written.began >= Self.longestTransaction
        {
            try await commit(&written)
        }
        return true
    }

    /// Commits the written batches and notifies the observer.
    private func commit(_ written: inout UncommittedBatches) async throws(ETLError) {
        guard let end = written.waiting.last?.end else { return }
        if sink.defersCommit {
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

    private typealias Next = (batch: Batch<Target.Input>, mark: UncommittedBatches.Mark)

    /// The next batches in order, including those that arrived while others were written; nil if the next one
    /// has not arrived yet. The observer may end the run with any of them.
    private func nextGroup(_ watermark: inout Waiting) -> [Next]? {
        while let message = input.receiveIfAny() { Self.hold(message, in: &watermark) }
        let most = sink.defersCommit ? 1 : max(1, sink.batchesPerCommit)
        var group: [Next] = []
        while group.count < most, !scope.stop.dropsLaterBatches, let batch = watermark.release()?.open() {
            let mark = UncommittedBatches.Mark(batch)
            scope.observe(.writing(recordsRead: mark.recordsRead, rejects: mark.rejects))
            group.append((batch, mark))
        }
        return group.isEmpty ? nil : group
    }
}

/// The batches that a sink has written but not committed yet, and the number of records it has committed.
struct UncommittedBatches {
    /// Report about a committed batch.
    struct Mark {
        let end: Position
        let recordsRead: Int
        /// Numbers in the batch of the rejected records, by reason code.
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
    /// When writing of the first waiting batch began, in nanoseconds of the run's clock.
    private(set) var began: UInt64 = 0
    /// Number of records committed.
    private(set) var records = 0

    mutating func add(_ written: [Mark], at began: UInt64) {
        if waiting.isEmpty { self.began = began }
        waiting += written
    }

    /// Marks all waiting batches as committed and returns them.
    mutating func takeCommitted() -> [Mark] {
        defer { waiting.removeAll(keepingCapacity: true) }
        records += waiting.reduce(0) { $0 + $1.recordsRead }
        return waiting
    }
}
