import Contract
import Pipeline
import Queries
import Services
import Store
import System
import Vectors

/// Works whose vectors are to be computed, and rows of vectors that no longer count.
struct WorkTextBatch: Payload {
    var texts: [WorkTexts.Text] = []
    /// The rows that the texts replace, and those of works that are gone.
    var replaced: [Int] = []
    /// Empty until the vectors are computed.
    var vectors: [Float] = []

    var count: Int { texts.count }
    var byteCount: Int { texts.reduce(vectors.count * 4) { $0 + $1.text.utf8.count } }
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
    var batchLimits = BatchLimits(records: 256)

    func survey() async throws(ETLError) -> SourceSurvey {
        SourceSurvey(
            recordCount: try WorkTexts.count(in: StoreFile.openForReading(store)), fingerprints: [])
    }

    func read(from position: Position, into emitter: Emitter<WorkTextBatch>) async throws(ETLError) {
        let reader = try WorkTexts(StoreFile.openForReading(store))
        var (last, place, batch) = (Int64(0), 0, WorkTextBatch())
        while true {
            let page = try reader.texts(after: last, atMost: Self.pageLength)
            guard let end = page.last?.item.id else { break }
            last = end
            var progress = EmbeddingProgress()
            for text in page {
                while place < known.count, known[place].item.id < text.item.id {
                    batch.replaced.append(known[place].row)
                    progress.removed += 1
                    place += 1
                }
                take(text, at: &place, into: &batch, &progress)
            }
            let new = progress
            counts.withLock { $0.add(new) }
            while batch.count >= batchLimits.records {
                var full = batch
                full.texts = Array(batch.texts.prefix(batchLimits.records))
                batch = WorkTextBatch(texts: Array(batch.texts.dropFirst(batchLimits.records)))
                guard
                    await emitter.emit(
                        full, end: Position(byte: last, line: 1, record: 1), recordsRead: full.count)
                else { return }
            }
        }
        var progress = EmbeddingProgress()
        while place < known.count {
            batch.replaced.append(known[place].row)
            progress.removed += 1
            place += 1
        }
        let new = progress
        counts.withLock { $0.add(new) }
        let count = batch.count
        _ = await emitter.emit(batch, end: Position(byte: last, line: 1, record: 1), recordsRead: count)
    }

    /// Takes a work, if its vector is to be computed.
    ///
    /// - Parameter place: The next of the known vectors.
    private func take(
        _ text: WorkTexts.Text, at place: inout Int, into batch: inout WorkTextBatch,
        _ progress: inout EmbeddingProgress
    ) {
        progress.works += 1
        var old: Int?
        if place < known.count, known[place].item.id == text.item.id {
            let (row, item) = known[place]
            place += 1
            if item == text.item {
                progress.current += 1
                return
            }
            old = row
        } else if onlyStale {
            progress.leftOut += 1
            return
        }
        if let old { batch.replaced.append(old) }
        guard !text.text.isEmpty else {
            progress.withoutText += 1
            return
        }
        if old != nil { progress.changed += 1 } else { progress.new += 1 }
        batch.texts.append(text)
    }
}

/// Computes the vectors of a batch.
struct EmbedTexts: Stage {
    let embedder: TextEmbedder

    var waitsForServices: Bool { embedder.isService }

    func process(_ batch: consuming Batch<WorkTextBatch>) async throws(ETLError) -> Batch<WorkTextBatch> {
        guard batch.payload.count > 0 else { return batch }
        batch.payload.vectors = try await embedder.vectors(of: batch.payload.texts.map(\.text))
        return batch
    }
}

/// The sink of an embedding: writes vectors next to the store.
struct WriteVectors: Sink {
    let storage: VectorStorage
    var batchesPerCommit: Int { 16 }
    var executor: (any TaskExecutor)? { storage.queue }

    func write(_ batch: consuming Batch<WorkTextBatch>) async throws(ETLError) { try await write([batch]) }

    func write(_ batches: consuming [Batch<WorkTextBatch>]) async throws(ETLError) {
        try await storage.write(batches.map(\.payload))
    }

    func finish() async throws(ETLError) { try await storage.finish() }
}

/// The file of vectors that a run writes.
actor VectorStorage {
    nonisolated let queue = QueueExecutor(label: "etl.vectors")
    private let writer: VectorWriter

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ path: String, _ model: VectorModel) throws(ETLError) { writer = try VectorWriter(path, model) }

    /// The vectors that exist.
    func items() throws(ETLError) -> VectorItems { try writer.items() }

    fileprivate func write(_ batches: [WorkTextBatch]) throws(ETLError) {
        var (items, vectors, replaced) = ([VectorItem](), [Float](), [Int]())
        for batch in batches {
            replaced += batch.replaced
            let dimension = batch.count == 0 ? 0 : batch.vectors.count / batch.count
            for (number, text) in batch.texts.enumerated() {
                let vector = batch.vectors[number * dimension..<(number + 1) * dimension]
                // A text without a known word is compared with nothing.
                guard vector.contains(where: { $0 != 0 }) else { continue }
                items.append(text.item)
                vectors += vector
            }
        }
        if !items.isEmpty {
            try writer.append(items, vectors, replacing: replaced)
        } else if !replaced.isEmpty {
            try writer.remove(replaced)
        }
    }

    fileprivate func finish() throws(ETLError) { try writer.finish() }
}
