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
