package import Books
package import Pipeline
package import System

/// Keeps the rows for which a condition is true. The others are set aside: they are listed and counted, but
/// not imported.
package struct FilterRows: Stage {
    /// The condition that rows must fulfill.
    package static let condition = Setting.condition(
        "where", over: RowFields.schema, "Rows for which it is not true are set aside.")

    private let condition: RecordExpression
    private let name: String

    /// - Parameters:
    ///   - condition: An expression over ``RowFields``.
    ///   - name: The stage's name in rejects.
    package init(where condition: RecordExpression, name: String = "FilterRows") {
        self.condition = condition
        self.name = name
    }

    /// Rows keep their order. Never throws.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        let others = batch.payload.rows(without: condition)
        batch.reject(others, by: name) { _, _ in (.filteredOut, "") }
        return batch
    }
}
