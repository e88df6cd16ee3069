import Books
import Bytes
import Formats
import Store
import System

/// Interprets records from their stored cells, like records of the files they came from. All have the same columns.
struct StoredRecords {
    private let format: any LibraryFormat
    private let columns: ColumnMap
    private let shapes: ColumnShapes
    private let columnCount: Int
    private let rules: MappingRules?

    init(_ layout: CorrectedRow.Layout, _ reading: ReadSettings, dateOrder: DateOrder) throws(ETLError) {
        format = try reading.format(of: layout)
        var columns = reading.columns(of: layout, by: format)
        columns.dateOrder = dateOrder
        let areNamed =
            !(format is any HeaderlessFormat)
            && layout.names != HeaderNames.numbered(layout.names.count)
        shapes = ColumnShapes(columns, areNamed: areNamed)
        self.columns = columns
        columnCount = layout.names.count
        rules = reading.rules
    }

    /// An empty batch for the records.
    var rows: LibraryRows { LibraryRows(columns: columns) }

    /// A record. Its cells are added to the batch; the caller adds the record.
    func row(_ cells: [String], at position: Position, in rows: inout LibraryRows) -> LibraryRow {
        let first = rows.cells.count
        for cell in cells { rows.cells.append(rows.arena.append(cell)) }
        var row = LibraryRow(position: position, raw: .none, cells: first..<rows.cells.count)
        if cells.count != columnCount { rows.align(&row, to: shapes, delimiter: nil) }
        if row.refusal == nil { format.interpret(&row, in: &rows) }
        if let rules { rows.apply(rules, to: &row) }
        return row
    }
}

extension ReadSettings {
    /// The format that reads records of a layout.
    func format(of layout: CorrectedRow.Layout) throws(ETLError) -> any LibraryFormat {
        if let mapping { return MappedFormat(mapping) }
        return try LibraryFormats.named(layout.formatName)
    }

    /// The columns of a layout as the format reads them.
    func columns(of layout: CorrectedRow.Layout, by format: any LibraryFormat) -> ColumnMap {
        let header = HeaderNames(layout.names)
        let fields = columns.fields(of: header, by: format) ?? format.fields(header)
        return ColumnMap(formatName: format.name, names: layout.names, fields: fields)
    }
}
