package import Books
package import Pipeline
package import System

/// Interprets changed rows by the format that read them.
package struct FormatInterpreter: RowInterpreter {
    private let mapping: ColumnMapping?
    private let rules: MappingRules?

    /// - Parameter settings: The settings that the rows were read with.
    package init(_ settings: ReadSettings) { (mapping, rules) = (settings.mapping, settings.rules) }

    package func interpret(
        _ numbers: [Int], of batch: inout Batch<LibraryRows>, changed: Set<String>, stage: String
    ) throws(ETLError) {
        let format: any LibraryFormat =
            if let mapping { MappedFormat(mapping) } else {
                try LibraryFormats.named(batch.payload.columns.formatName)
            }
        var refused: [Int] = []
        for number in numbers {
            let old = batch.payload.rows[number]
            var row = LibraryRow(position: old.position, raw: old.raw, cells: old.cells)
            row.isCutOff = old.isCutOff
            if batch.payload.columns.areTextsEscaped { batch.payload.readEscapedTexts(of: &row) }
            format.interpret(&row, in: &batch.payload)
            if let rules { batch.payload.apply(rules, to: &row) }
            // The parser's warnings about the record stay.
            let kept = old.warnings.filter { warning in
                !(warning.field.map(changed.contains) ?? false) && !row.warnings.contains(warning)
            }
            row.warnings = kept + row.warnings
            if row.refusal != nil { refused.append(number) }
            batch.payload.rows[number] = row
        }
        let rows = batch.payload
        batch.reject(refused, by: stage) { _, row in
            let reason = row.refusal ?? .notABook
            return (reason, rows.details(of: row, reason))
        }
    }
}
