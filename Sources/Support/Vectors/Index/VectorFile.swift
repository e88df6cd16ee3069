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

    package let path: String
    package let model: VectorModel
    /// Number of rows, including those that no longer count.
    package let rowCount: Int
    /// Increased with each change of the file.
    package let generation: Int
    private let layout: VectorLayout
    private let file: MappedFile

    /// Opens a file.
    ///
    /// - Throws: `.missing` if there is none, `.unusableInput` if it is damaged or something else.
    package init(_ path: String) throws(ETLError) {
        file = try MappedFile(path)
        guard let header = VectorHeader(file.bytes) else { throw Self.damage(path) }
        layout = VectorLayout(dimension: header.model.dimension)
        guard file.bytes.count >= layout.fileSize(rows: header.count) else { throw Self.damage(path) }
        self.path = path
        model = header.model
        rowCount = header.count
        generation = header.generation
    }

    private static func damage(_ path: String) -> ETLError {
        ETLError(.unusableInput, "`\(path)` is damaged, or has no vectors of this version of etl.")
    }

    /// Whether nothing was added or removed since it was opened.
    package var isUnchanged: Bool { VectorHeader(file.bytes)?.generation == generation }

    /// The items with vectors, ascending by id.
    package var items: VectorItems { VectorItems(file, layout, rowCount) }

    /// What a row belongs to; nil if it no longer counts.
    package func item(at row: Int) -> VectorItem? {
        let id = load(.ids, row, as: Int64.self)
        guard id != 0 else { return nil }
        return VectorItem(
            id: id, key: load(.keys, row, as: UInt64.self), text: load(.texts, row, as: UInt64.self))
    }

    /// The last row of an item; nil if it has none.
    package func row(of id: Int64) -> Int? {
        (0..<rowCount).last { load(.ids, $0, as: Int64.self) == id }
    }

    /// The vector of a row, of length 1.
    package func vector(at row: Int) -> [Float] {
        let start = layout.offset(of: .halves, row: row)
        var vector = (0..<model.dimension).map { column in
            vectors_float_of_half(
                file.bytes.loadUnaligned(fromByteOffset: start + column * 2, as: UInt16.self))
        }
        UnitVector.normalize(&vector)
        return vector
    }

    private func load<Value: BitwiseCopyable>(_ column: VectorLayout.Column, _ row: Int, as type: Value.Type)
        -> Value
    {
        file.bytes.loadUnaligned(fromByteOffset: layout.offset(of: column, row: row), as: type)
    }

    /// The rows with the vectors nearest to a query, the nearest first; of equally near ones, the earlier row.
    ///
    /// - Parameters:
    ///   - query: Of length 1, of the model's dimension; otherwise nothing is found.
    ///   - limit: Maximum number of rows.
    package func nearest(to query: [Float], atMost limit: Int) -> [Hit] {
        guard query.count == model.dimension, limit > 0, rowCount > 0 else { return [] }
        let wanted = min(limit, rowCount)
        var hits: [Hit] = []
        for candidate in candidates(query, atMost: min(wanted * Self.factor, rowCount)) {
            guard let item = item(at: candidate.row) else { continue }
            hits.append(Hit(row: candidate.row, item: item, cosine: exactCosine(query, candidate.row)))
        }
        hits.sort { $0.cosine != $1.cosine ? $0.cosine > $1.cosine : $0.row < $1.row }
        return Array(hits.prefix(wanted))
    }

    private func exactCosine(_ query: [Float], _ row: Int) -> Float {
        guard let base = file.bytes.baseAddress else { return 0 }
        return vectors_dot(query, base + layout.offset(of: .halves, row: row), query.count)
    }

    // MARK: The scan

    private func candidates(_ query: [Float], atMost count: Int) -> [BestRows.Candidate] {
        var numbers: [Int8] = []
        _ = UnitVector.quantized(query[...], into: &numbers)
        let padded = numbers.map { Int16($0) } + [Int16](repeating: 0, count: layout.stride - numbers.count)
        let blocks = (rowCount + VectorLayout.blockRows - 1) / VectorLayout.blockRows
        let threads = max(
            1, min(ThreadPool.processorCount, blocks, rowCount / Self.rowsPerThread + 1))
        let found = Guarded<[BestRows.Candidate]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { part in
            let range = blocks * part / threads..<blocks * (part + 1) / threads
            let best = scan(range, padded, atMost: count)
            found.withLock { $0 += best }
        }
        var best = BestRows(atMost: count)
        for candidate in found.withLock({ $0 }) { best.offer(candidate.row, candidate.score) }
        return best.sorted()
    }

    /// The best rows of some blocks.
    private func scan(_ blocks: Range<Int>, _ query: [Int16], atMost count: Int) -> [BestRows.Candidate] {
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
                    let score =
                        Float(products[row]) * factors.loadUnaligned(fromByteOffset: row &* 4, as: Float.self)
                    guard score > best.least, ids.loadUnaligned(fromByteOffset: row &* 8, as: Int64.self) != 0
                    else { continue }
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

    @inline(__always)
    mutating func offer(_ row: Int, _ score: Float) {
        guard score > least else { return }
        candidates.append(Candidate(row: row, score: score))
        // Sorted only now and then, so that a row costs little.
        if candidates.count >= count * 2 + 64 { shorten() }
    }

    private mutating func shorten() {
        candidates.sort { $0.score != $1.score ? $0.score > $1.score : $0.row < $1.row }
        candidates.removeLast(max(0, candidates.count - count))
        if candidates.count == count, let last = candidates.last { least = last.score }
    }

    /// The best rows, the best first; of equal ones, the earlier first.
    mutating func sorted() -> [Candidate] {
        shorten()
        return candidates
    }
}
