import CVectors
import Dispatch
import Glibc
package import System

/// Vectors of one model in a file, opened for searching.
///
/// A search reads all int8 vectors, on all processors, and compares the best ones again by their halves. Rows that are
/// added later are not seen; opening it again costs a few pages.
package final class VectorFile: Sendable {
    /// A row that was found.
    package struct Hit: Sendable, Hashable {
        package var row: Int
        package var item: VectorItem
        /// The cosine of the angle to the query.
        package var cosine: Float
    }

    /// Candidates that are compared exactly, as a multiple of the wanted number.
    private static let factor = 4
    /// Rows that are worth another thread.
    private static let rowsPerThread = 16_384
    private static let attempts = 3

    package let path: String
    package let model: VectorModel
    /// Number of rows, including deleted ones.
    package let rowCount: Int
    /// Increased with each change of the file.
    package let generation: Int
    private let layout: VectorLayout
    private let file: MappedFile

    /// Opens a file.
    ///
    /// - Throws: `.missing` if there is none, `.unusableInput` if it is damaged or something else.
    package init(_ path: String) throws(ETLError) {
        // A process that writes may have changed the header, or made the file longer, since it was mapped.
        for _ in 0..<Self.attempts {
            let file = try MappedFile(path)
            guard let header = VectorHeader(file.bytes) else { continue }
            let layout = VectorLayout(dimension: header.model.dimension)
            guard file.bytes.count >= layout.fileSize(rows: header.count) else { continue }
            (self.file, self.layout, self.path) = (file, layout, path)
            (model, rowCount, generation) = (header.model, header.count, header.generation)
            return
        }
        throw ETLError(.unusableInput, "`\(path)` is damaged, or has no vectors of this version of etl.")
    }

    /// Whether nothing was added or removed since it was opened.
    package var isUnchanged: Bool { VectorHeader(file.bytes)?.generation == generation }

    /// Identifies the state of the things of which the file has all vectors; 0 if it has not all.
    package var stamp: UInt64 { VectorHeader(file.bytes)?.stamp ?? 0 }

    /// The items with vectors, ascending by id.
    package var items: VectorItems { VectorItems(file, layout, rowCount) }

    /// What a row belongs to; nil for a deleted row.
    package func item(at row: Int) -> VectorItem? {
        let id = load(.ids, row, as: Int64.self)
        guard id != 0 else { return nil }
        return VectorItem(
            id: id, key: load(.keys, row, as: UInt64.self), text: load(.texts, row, as: UInt64.self))
    }

    /// The last row of an item; nil if it has none.
    package func row(of id: Int64) -> Int? {
        guard let base = file.bytes.baseAddress else { return nil }
        var found: Int?
        for first in stride(from: 0, to: rowCount, by: VectorLayout.blockRows) {
            let ids = base + layout.offset(of: .ids, row: first)
            for row in 0..<min(VectorLayout.blockRows, rowCount - first)
            where ids.loadUnaligned(fromByteOffset: row &* 8, as: Int64.self) == id { found = first + row }
        }
        return found
    }

    /// The unit vector of a row; nil if its text had no known token, or if the row is damaged.
    package func vector(at row: Int) -> [Float]? {
        let start = layout.offset(of: .halves, row: row)
        var vector = (0..<model.dimension).map { column in
            vectors_float_of_half(
                file.bytes.loadUnaligned(fromByteOffset: start + column * 2, as: UInt16.self))
        }
        return UnitVector.normalize(&vector) ? vector : nil
    }

    private func load<Value: BitwiseCopyable>(_ column: VectorLayout.Column, _ row: Int, as type: Value.Type)
        -> Value
    {
        file.bytes.loadUnaligned(fromByteOffset: layout.offset(of: column, row: row), as: type)
    }

    /// The items with the vectors nearest to a query, the nearest first; of equally near ones, the earlier row.
    ///
    /// - Parameters:
    ///   - query: A unit vector of the model's dimension. For another dimension, and for zeros, nothing is found.
    ///   - limit: Maximum number of items.
    ///   - ids: The items that are looked at; nil for all.
    package func nearest(to query: [Float], atMost limit: Int, among ids: Set<Int64>? = nil) -> [Hit] {
        guard query.count == model.dimension, limit > 0, rowCount > 0, query.contains(where: { $0 != 0 })
        else { return [] }
        let wanted = min(limit, rowCount)
        var hits: [Hit] = []
        for candidate in candidates(query, atMost: min(wanted * Self.factor, rowCount), ids) {
            let cosine = exactCosine(query, candidate.row)
            // Damage of a row is not noticed otherwise.
            guard let item = item(at: candidate.row), cosine.isFinite else { continue }
            hits.append(Hit(row: candidate.row, item: item, cosine: min(1, max(-1, cosine))))
        }
        hits.sort { $0.cosine != $1.cosine ? $0.cosine > $1.cosine : $0.row < $1.row }
        // A killed process may have left an older row of the same item.
        var seen: Set<Int64> = []
        return Array(hits.filter { seen.insert($0.item.id).inserted }.prefix(wanted))
    }

    private func exactCosine(_ query: [Float], _ row: Int) -> Float {
        guard let base = file.bytes.baseAddress else { return 0 }
        return vectors_dot(query, base + layout.offset(of: .halves, row: row), query.count)
    }

    // MARK: The scan

    private func candidates(_ query: [Float], atMost count: Int, _ ids: Set<Int64>?) -> [BestRows.Candidate] {
        var numbers: [Int8] = []
        _ = UnitVector.quantized(query[...], into: &numbers)
        let padded = numbers.map { Int16($0) } + [Int16](repeating: 0, count: layout.stride - numbers.count)
        let blocks = (rowCount + VectorLayout.blockRows - 1) / VectorLayout.blockRows
        let threads = max(
            1, min(ThreadPool.processorCount, blocks, rowCount / Self.rowsPerThread + 1))
        let found = Guarded<[BestRows.Candidate]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { part in
            let range = blocks * part / threads..<blocks * (part + 1) / threads
            let best = scan(range, padded, atMost: count, ids)
            found.withLock { $0 += best }
        }
        return Array(found.withLock { $0 }.sorted(by: BestRows.precede).prefix(count))
    }

    /// The best rows of some blocks.
    private func scan(
        _ blocks: Range<Int>, _ query: [Int16], atMost count: Int, _ allowed: Set<Int64>?
    ) -> [BestRows.Candidate] {
        guard let base = file.bytes.baseAddress else { return [] }
        var best = BestRows(atMost: count)
        var products = [Int32](repeating: 0, count: VectorLayout.blockRows)
        for block in blocks {
            let first = block * VectorLayout.blockRows
            let rows = min(VectorLayout.blockRows, rowCount - first)
            let bytes = (base + layout.offset(of: .bytes, row: first)).assumingMemoryBound(to: Int8.self)
            vectors_scan(query, bytes, query.count, rows, &products)
            let factors = base + layout.offset(of: .factors, row: first)
            let ids = base + layout.offset(of: .ids, row: first)
            products.withUnsafeBufferPointer { products in
                for row in 0..<rows {
                    let factor = factors.loadUnaligned(fromByteOffset: row &* 4, as: Float.self)
                    let score = Float(products[row]) * factor
                    guard score > best.least, factor != 0 else { continue }
                    let id = ids.loadUnaligned(fromByteOffset: row &* 8, as: Int64.self)
                    guard id != 0, allowed?.contains(id) ?? true else { continue }
                    best.offer(first + row, score)
                }
            }
        }
        return best.sorted()
    }
}

/// The rows with the highest scores, of rows that are offered one after the other.
struct BestRows {
    struct Candidate: Sendable {
        var row: Int
        var score: Float
    }

    private let count: Int
    private var candidates: [Candidate] = []
    /// A row with this score or a lower one is not among the best.
    private(set) var least = -Float.infinity

    init(atMost count: Int) { self.count = count }

    /// The order of rows: the best first; of equal ones, the earlier first.
    static func precede(_ a: Candidate, _ b: Candidate) -> Bool {
        a.score != b.score ? a.score > b.score : a.row < b.row
    }

    @inline(__always)
    mutating func offer(_ row: Int, _ score: Float) {
        guard score > least else { return }
        candidates.append(Candidate(row: row, score: score))
        // Sorted only now and then, so that a row costs little.
        if candidates.count >= count * 2 + 64 { shorten() }
    }

    private mutating func shorten() {
        candidates.sort(by: Self.precede)
        candidates.removeLast(max(0, candidates.count - count))
        if candidates.count == count, let last = candidates.last { least = last.score }
    }

    /// The best rows, the best first; of equal ones, the earlier first.
    mutating func sorted() -> [Candidate] {
        shorten()
        return candidates
    }
}
