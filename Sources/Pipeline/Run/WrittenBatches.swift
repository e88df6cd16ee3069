/// The batches that a sink has written and not committed yet, and how many records it has committed.
struct WrittenBatches {
    /// What is told of a batch when it is committed.
    struct Mark {
        let end: Position
        let recordsRead: Int
        /// Records turned away, by the codes of the reasons.
        let rejects: [String: Int]

        init<Content>(_ batch: borrowing Batch<Content>) {
            end = batch.end
            recordsRead = batch.recordsRead
            rejects = batch.rejects.reduce(into: [:]) { $0[$1.code, default: 0] += 1 }
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
