import Contract
import Pipeline
import Queries
import Services
import Store
import System
import Vectors

/// Works whose vectors are to be computed, and rows of vectors of works that are gone.
struct WorkTextBatch: Payload {
    /// A text, and the row of its vector that another one replaces.
    struct Item: Sendable {
        var text: WorkTexts.Text
        var replaced: Int?
    }

    var items: [Item] = []
    var removed: [Int] = []
    /// Empty until the vectors are computed; then one for each item.
    var vectors: [Float] = []

    var count: Int { items.count }
    var byteCount: Int { items.reduce(vectors.count * 4) { $0 + $1.text.text.utf8.count } }
}

/// The source of an embedding: works without a vector of their present text, ascending by id.
///
/// A run that was stopped needs no checkpoint: the next one finds the vectors that were written, and goes on with the others.
struct ReadWorkTexts: Source {
    private static let pageLength = 512

    let store: String
    /// The vectors that exist.
    let known: VectorItems
    /// Whether works without any vector are left out.
    let onlyStale: Bool
    let counts: Guarded<EmbeddingProgress>
    let stop: StopSignal
    /// Set when all works were read. A run that is stopped while it finds nothing to compute looks complete otherwise.
    let hasReadAll: Guarded<Bool>
    /// Called after each page of works, with their number so far.
    let observe: @Sendable (Int) -> Void
    var batchLimits = BatchLimits(records: 256)

    func survey() async throws(ETLError) -> SourceSurvey {
        SourceSurvey(
            recordCount: try WorkTexts.count(in: StoreFile.openForReading(store)), fingerprints: [])
    }

    func read(from position: Position, into emitter: Emitter<WorkTextBatch>) async throws(ETLError) {
        let reader = try WorkTexts(StoreFile.openForReading(store))
        var (last, place, batch) = (Int64(0), 0, WorkTextBatch())
        func emit() async -> Bool {
            let full = batch
            batch = WorkTextBatch()
            return await emitter.emit(
                full, end: Position(byte: last, line: 1, record: 1), recordsRead: full.count)
        }
        while !stop.isRaised {
            let page = try reader.texts(after: last, atMost: Self.pageLength)
            guard !page.isEmpty else {
                // Those that are left are of works that are gone.
                skip(to: .max, &place, &batch)
                hasReadAll.withLock { $0 = true }
                _ = await emit()
                return
            }
            for text in page {
                last = text.item.id
                skip(to: last, &place, &batch)
                take(text, at: &place, into: &batch)
                if batch.count >= batchLimits.records, await !emit() { return }
            }
            observe(counts.withLock { $0.works })
        }
    }

    /// Takes the vectors of works that are gone, before a work.
    private func skip(to id: Int64, _ place: inout Int, _ batch: inout WorkTextBatch) {
        let start = place
        while place < known.count, known[place].item.id < id {
            batch.removed.append(known[place].row)
            place += 1
        }
        let removed = place - start
        if removed > 0 { counts.withLock { $0.removed += removed } }
    }

    /// Takes a work, if its vector is to be computed.
    ///
    /// - Parameter place: The next of the known vectors.
    private func take(_ text: WorkTexts.Text, at place: inout Int, into batch: inout WorkTextBatch) {
        var replaced: Int?
        var count = \EmbeddingProgress.new
        if place < known.count, known[place].item.id == text.item.id {
            let (row, item) = known[place]
            place += 1
            replaced = row
            count = item == text.item ? \.current : \.changed
        } else if onlyStale {
            count = \.leftOut
        }
        if text.text.isEmpty, count != \.leftOut {
            count = \.withoutText
            if let replaced { batch.removed.append(replaced) }
        }
        counts.withLock { [count] in
            $0.works += 1
            $0[keyPath: count] += 1
        }
        if count == \.new || count == \.changed { batch.items.append(.init(text: text, replaced: replaced)) }
    }
}

/// Computes the vectors of a batch.
struct EmbedTexts: Stage {
    let embedder: TextEmbedder
    let counts: Guarded<EmbeddingProgress>

    var waitsForServices: Bool { embedder.isService }

    func process(_ batch: consuming Batch<WorkTextBatch>) async throws(ETLError) -> Batch<WorkTextBatch> {
        let items = batch.payload.items
        guard !items.isEmpty else { return batch }
        let vectors = try await embedder.vectors(of: items.map(\.text.text))
        // A work whose text the model refuses keeps what it has, and is tried again by the next run.
        let taken = zip(items, vectors).filter { $0.1 != nil }
        batch.payload.items = taken.map(\.0)
        batch.payload.vectors = taken.flatMap { $0.1 ?? [] }
        let refused = items.count - taken.count
        if refused > 0 { counts.withLock { $0.refused += refused } }
        return batch
    }
}

/// The sink of an embedding: writes vectors next to the store.
struct WriteVectors: Sink {
    let storage: VectorStorage
    let hasReadAll: Guarded<Bool>
    var batchesPerCommit: Int { 16 }
    var executor: (any TaskExecutor)? { storage.queue }

    func write(_ batch: consuming Batch<WorkTextBatch>) async throws(ETLError) { try await write([batch]) }

    func write(_ batches: consuming [Batch<WorkTextBatch>]) async throws(ETLError) {
        try await storage.write(batches.map(\.payload))
    }

    func finish() async throws(ETLError) {
        if hasReadAll.withLock({ $0 }) { try await storage.finish() }
    }
}

/// The file of vectors that a run writes.
actor VectorStorage {
    nonisolated let queue = QueueExecutor(label: "etl.vectors")
    private let writer: VectorWriter
    private let stamp: UInt64

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// - Parameter stamp: Identifies the state of the store of which the file has all vectors when the run has completed.
    init(_ path: String, _ model: VectorModel, _ stamp: UInt64) throws(ETLError) {
        writer = try VectorWriter(path, model)
        self.stamp = stamp
    }

    /// The vectors that exist.
    func items() throws(ETLError) -> VectorItems { try writer.items() }

    fileprivate func write(_ batches: [WorkTextBatch]) throws(ETLError) {
        let items = batches.flatMap(\.items)
        let removed = items.compactMap(\.replaced) + batches.flatMap(\.removed)
        if !items.isEmpty {
            try writer.append(items.map(\.text.item), batches.flatMap(\.vectors), replacing: removed)
        } else if !removed.isEmpty {
            try writer.remove(removed)
        }
    }

    fileprivate func finish() throws(ETLError) { try writer.finish(stamp) }
}
