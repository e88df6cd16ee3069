package import Books
import Bytes
package import Pipeline
package import System

/// Removes columns, so that their cells are neither used nor stored.
package struct DropColumns: Stage {
    /// The columns to remove.
    package static let columns = Setting.phrases(
        "columns", mustBe: "names of columns or fields", isRequired: true, fallback: [],
        "Columns by their name in the file, or by their field such as `review`."
    ) { (texts) throws(PhraseMistake) -> [String] in
        if let index = texts.firstIndex(where: { ColumnName.trimmed($0).isEmpty }) {
            throw PhraseMistake(at: index, "The name of a column is empty.")
        }
        return texts
    }

    private let dropped: [String]
    private let interpreter: any RowInterpreter
    private let name: String

    /// - Parameters:
    ///   - dropped: Names of columns or fields. Those that the file lacks are skipped.
    ///   - interpreter: Interprets the changed rows.
    ///   - name: The stage's name in rejects.
    package init(_ dropped: [String], interpreter: any RowInterpreter, name: String = "DropColumns") {
        self.dropped = dropped
        self.interpreter = interpreter
        self.name = name
    }

    /// Rows keep their order.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        let old = batch.payload.columns
        let places = Set(dropped.compactMap { old.column(named: $0) })
        guard !places.isEmpty else { return batch }
        let changed = batch.payload.rows.indices.filter { number in
            places.contains { !batch.payload.cell(column: $0, of: batch.payload.rows[number]).isEmpty }
        }
        let kept = old.names.indices.filter { !places.contains($0) }
        var fields: [LibraryField: Int] = [:]
        for (new, column) in kept.enumerated() {
            for (field, place) in old.fields where place == column { fields[field] = new }
        }
        batch.payload.setColumns(kept.map { old.names[$0] }, from: kept, fields: fields)
        let names = Set(places.map { old.names[$0] })
        try interpreter.interpret(changed, of: &batch, changed: names, stage: name)
        return batch
    }
}
