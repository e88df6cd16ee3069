package import Books

/// Any table with recognizable column names: spreadsheets, and programs without a format of their own. If the
/// names are not recognized, `--map FIELD=COLUMN,…` maps the columns.
package struct Generic: LibraryFormat {
    package let name = "generic"

    package init() {}

    package var namesStatuses: Bool { true }

    /// Exactly the threshold if there is a title or an ISBN, so that any specific format that matches takes
    /// precedence.
    package func score(_ header: HeaderNames) -> Double {
        let fields = fields(header)
        if ColumnMap.identifying.contains(where: { fields[$0] != nil }) { return LibraryFormats.threshold }
        return fields.isEmpty ? 0 : LibraryFormats.threshold / 2
    }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { ColumnNames.standard.fields(header) }

    package var described: [DescribedColumn] { ColumnNames.standard.described }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readPlainTable(&row)
    }
}
