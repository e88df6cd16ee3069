import Books
import Database
import Syntax
package import System

/// Exports as an Excel workbook: `--to xlsx`.
extension Export {
    /// Counts of a written workbook.
    package struct WorkbookReport: Sendable {
        package var rows: Int
        /// Cells that had more text than a sheet can hold, and were cut.
        package var shortened: Int
    }

    /// Writes records to a file, with the columns of the CSV.
    ///
    /// - Parameters:
    ///   - library: The library to export; nil for all.
    ///   - addsOtherColumns: Whether books get the columns of their files that the export has no column for.
    ///   - path: The file, which is replaced.
    /// - Throws: `.configuration` if a sheet cannot hold the records; `.missing` if there is no such library.
    package func writeWorkbook(
        of what: What, in library: String? = nil, addsOtherColumns: Bool = false, to path: String
    ) throws(ETLError) -> WorkbookReport {
        guard let table = what.table else { throw Self.hasNoColumns("as a workbook") }
        return try connection.snapshot { () throws(ETLError) in
            let others = addsOtherColumns ? try OtherColumns(connection, besides: table.names) : nil
            let names = try others?.names(in: library, connection) ?? []
            var book = try WorkbookWriter(
                path, sheet: what.rawValue,
                columns: table.columns.map { .init("\($0.name)", width: $0.width) }
                    + names.map { .init($0, width: ExportColumn.textWidth) })
            let row = try ExportRow(table, in: connection)
            let ids = try ids(of: table, in: library)
            var count = 0
            while try ids.next() {
                let id = ids.integer(0)
                guard try row.move(to: id) else { continue }
                guard !book.isFull else { throw Self.isFull }
                try row.writeCells(into: &book)
                if let others {
                    let values = Dictionary(try others.values(of: id)) { first, _ in first }
                    for name in names { book.text(values[name] ?? "") }
                }
                try book.endRow()
                count += 1
            }
            try book.close()
            return WorkbookReport(rows: count, shortened: book.shortened)
        }
    }

    private static let isFull = ETLError(
        .configuration, "A sheet has room for \(WorkbookWriter.mostRows) records, and there are more.",
        advice: "Export one library with \(UserSetting.library), or all as CSV.")
}

extension ExportColumn {
    /// The width of a column of text, in characters.
    static let textWidth = 24.0

    /// The width in a sheet, in characters.
    fileprivate var width: Double {
        switch kind {
        case .date, .integer, .number, .flag: 12
        default: Self.textWidth
        }
    }
}
