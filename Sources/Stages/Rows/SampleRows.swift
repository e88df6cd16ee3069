package import Books
import Bytes
package import Pipeline
package import System

/// Keeps a share of the rows. Which ones depends only on the seed and on each row: on its place in the
/// input, or on its value of an expression.
///
/// By value, all rows with the same value are kept or set aside together, also in a newer export.
package struct SampleRows: Stage {
    /// The share of the rows that are kept.
    package static let share = Setting.number(
        "share", default: 0.1, in: 0...1, "The share of the rows that are kept, such as 0.1.")
    /// Another seed gives another sample.
    package static let seed = Setting.integer(
        "seed", default: 1, in: 0...Int(Int32.max), "Another seed gives another sample.")
    /// Condition for a row.
    package static let by = Setting.values(
        "by", over: RowFields.schema, isRequired: false,
        "Keep or set aside all rows with the same values together, instead of single rows.")

    private let share: Double
    private let seed: UInt64
    private let by: [RecordExpression]
    private let name: String

    /// - Parameters:
    ///   - share: The share of the rows that are kept, 0…1.
    ///   - seed: Another seed gives another sample.
    ///   - by: Expressions over ``RowFields`` that decide about a row; empty for its place.
    ///   - name: The stage's name in rejects.
    package init(share: Double, seed: UInt64, by: [RecordExpression] = [], name: String = "SampleRows") {
        self.share = share
        self.seed = seed
        self.by = by
        self.name = name
    }

    /// Rows keep their order. Never throws.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        // The share in units of 2⁻⁵³, which a Double represents exactly.
        let bound = UInt64(share * 9_007_199_254_740_992)
        let hashes = by.isEmpty ? places(of: batch.payload) : batch.payload.hashes(by: by, seed: seed)
        let others = hashes.indices.filter { hashes[$0].map { $0 >> 11 >= bound } ?? false }
        batch.reject(others, by: name) { _, _ in (.notSampled, "") }
        return batch
    }

    private func places(of rows: borrowing LibraryRows) -> [UInt64?] {
        rows.rows.map { row in
            withUnsafeBytes(
                of: (Int64(row.position.file).littleEndian, Int64(row.position.record).littleEndian)
            ) {
                KeyHash.hash($0, seed: seed)
            }
        }
    }
}

extension LibraryRows {
    /// A hash of each row's values of some expressions, in which case does not matter; nil if all are missing.
    func hashes(by expressions: [RecordExpression], seed: UInt64) -> [UInt64?] {
        keys(by: expressions).map { key in key.map { KeyHash.hash(Array($0.utf8), seed: seed) } }
    }

    /// Each row's values of some expressions as one text; nil if all are missing.
    func keys(by expressions: [RecordExpression]) -> [String?] {
        let values = expressions.map { self.values(of: $0) }
        return rows.indices.map { number in
            let texts = values.map { $0[number].text }
            guard texts.contains(where: { $0 != nil }) else { return nil }
            // A missing value differs from every text, and lengths keep neighbors apart.
            return texts.map { text in
                text.map { text in
                    let folded = text.lowercased()
                    return "\(folded.utf8.count):\(folded)"
                } ?? "-"
            }.joined()
        }
    }
}
