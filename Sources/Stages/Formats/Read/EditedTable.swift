import Books
import Bytes
import Syntax
package import System

/// A table of `etl` that the user has edited, in a text editor or a spreadsheet: an export of books, or a list of
/// duplicates. Columns may be reordered or missing, and rows may be missing or in another order.
package struct EditedTable: ~Copyable {
    /// A row of the table.
    package struct Row: Sendable, Hashable {
        /// The number that a spreadsheet shows.
        package var number: Int
        /// A cell for each of ``EditedTable/columns``; missing ones are empty.
        package var cells: [String]
    }

    /// Kind of a table.
    package struct Kind: Sendable {
        /// `an export of books`
        let name: String
        /// Required columns.
        let columns: [String]
        /// Advice on how to make one.
        let advice: UserText

        package init(_ name: String, columns: [String], advice: UserText) {
            self.name = name
            self.columns = columns
            self.advice = advice
        }

        package static let books = Kind(
            "an export of books", columns: names,
            advice: "Create one with \(UserCommand.exportTable), and edit its cells.")

        /// Why a file is refused that is another table, or none.
        package func refusal(of path: String) -> ETLError {
            ETLError(
                .unusableInput,
                "`\(path)` is not \(name): it needs the columns \(columns.joined(separator: ", ")).",
                advice: advice)
        }
    }

    /// The columns that name an entry.
    package static let names = ["library", "sourceFormat", "sourceId"]

    package let columns: [String]
    private let guardMark: Int?
    private var reader: RecordReader
    private var number = 0

    /// Opens a table and finds its header.
    ///
    /// - Throws: `.unusableInput` for a file without the columns of its kind, and what ``InputFile`` throws.
    package init(_ path: String, of kind: Kind = .books) throws(ETLError) {
        let file = try InputFile(path)
        let head = try file.head()
        let encoding = TextEncoding.sniff(head: head).encoding
        let guess = Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect
        for dialect in file.isTable ? [.comma] : [guess, .comma, .semicolon, .tab] {
            var reader = try RecordReader(
                file.bytes(), dialect: dialect, encoding: encoding, limits: RecordLimits(columns: 1 << 10))
            guard let (header, number) = try Self.next(&reader, after: 0),
                kind.columns.allSatisfy({ name in header.contains { $0.lowercased() == name.lowercased() } })
            else { continue }
            columns = header
            guardMark = header.lastIndex(of: FormulaGuard.column)
            self.reader = reader
            self.number = number
            return
        }
        throw kind.refusal(of: path)
    }

    /// The next row; nil at the end of the table.
    package mutating func next() throws(ETLError) -> Row? {
        guard let (cells, number) = try Self.next(&reader, after: number) else { return nil }
        self.number = number
        let isGuarded =
            guardMark.map { cells.indices.contains($0) && FormulaGuard.isMark(cells[$0].utf8) } ?? false
        return Row(
            number: number,
            cells: columns.indices.map { column in
                guard cells.indices.contains(column) else { return "" }
                return isGuarded ? FormulaGuard.takenOff(cells[column]) : cells[column]
            })
    }

    private static func next(
        _ reader: inout RecordReader, after number: Int
    ) throws(ETLError) -> (cells: [String], number: Int)? {
        var number = number
        while let (record, cells, arena) = try reader.next() {
            number += 1
            if record.isBlank { continue }
            return (cells.map { arena[$0] }, number)
        }
        return nil
    }
}
