package import Books
package import Pipeline
package import System

/// Gives columns other names, under which their cells are stored. The name of a field also gives the column
/// that meaning.
package struct RenameColumns: Stage {
    /// A column and its new name.
    package struct Renaming: Sendable, Hashable {
        /// The name in the file.
        package var old: String
        /// The new name.
        package var new: String
    }

    /// The columns to rename.
    package static let columns = Setting.phrases(
        "columns", mustBe: "`OLD=NEW` pairs such as `My Stars=rating`", isRequired: true, fallback: [],
        "Columns and their new names. The name of a field gives the column that meaning."
    ) { (texts) throws(PhraseMistake) -> [Renaming] in
        var renamings: [Renaming] = []
        for (index, text) in texts.enumerated() {
            let sides = text.split(separator: "=", omittingEmptySubsequences: false).map {
                String($0.drop { $0 == " " })
            }
            guard sides.count == 2, let old = sides.first.map(ColumnName.trimmed), let new = sides.last,
                !old.isEmpty, !new.isEmpty
            else {
                throw PhraseMistake(
                    at: index, "`\(text)` is not a pair of names.", advice: "Write `OLD=NEW`.")
            }
            guard !renamings.contains(where: { $0.old == old || $0.new == new }) else {
                throw PhraseMistake(
                    at: index, "`\(text)` uses a name that an earlier pair uses.",
                    advice: "Remove one of the two.")
            }
            renamings.append(Renaming(old: old, new: new))
        }
        return renamings
    }

    private let renamings: [Renaming]
    private let interpreter: any RowInterpreter
    private let name: String

    /// - Parameters:
    ///   - renamings: Columns that the file lacks are skipped.
    ///   - interpreter: Interprets rows of which a column has another meaning.
    ///   - name: The stage's name in rejects.
    package init(
        _ renamings: [Renaming], interpreter: any RowInterpreter, name: String = "RenameColumns"
    ) {
        self.renamings = renamings
        self.interpreter = interpreter
        self.name = name
    }

    /// Rows keep their order.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<LibraryRows> {
        var (names, fields) = (batch.payload.columns.names, batch.payload.columns.fields)
        var changed: [Int] = []
        for renaming in renamings {
            guard let column = batch.payload.columns.names.firstIndex(of: renaming.old) else { continue }
            names[column] = renaming.new
            guard let field = LibraryField.allCases.first(where: { RowFields.name(of: $0) == renaming.new }),
                fields[field] != column
            else { continue }
            fields = fields.filter { $0.value != column }
            fields[field] = column
            changed.append(column)
        }
        let isNewMeaning = fields != batch.payload.columns.fields
        batch.payload.setColumns(names, from: Array(names.indices), fields: fields)
        guard isNewMeaning else { return batch }
        let rows = Array(batch.payload.rows.indices)
        try interpreter.interpret(rows, of: &batch, changed: Set(changed.map { names[$0] }), stage: name)
        return batch
    }
}

/// Names of columns as users write them.
enum ColumnName {
    /// The name without spaces at its end.
    static func trimmed(_ name: String) -> String {
        var name = name
        while name.last == " " { name.removeLast() }
        return name
    }
}
