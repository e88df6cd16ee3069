import Books
import Bytes
package import Syntax
package import System

/// A list of rejected records that the user corrected: the output of `etl errors JOB --to csv`, edited in
/// an editor or a spreadsheet.
///
/// Its columns are those of the job's source files plus those that `etl` added. Of the added columns only the
/// record number and the guard mark are read. Columns may be reordered, and rows may be missing.
package struct CorrectedList: ~Copyable {
    /// The columns that a list of errors has after a record's cells: reason code, details, record number.
    package static let addedColumns = ["_etl_reason", "_etl_detail", numberColumn]
    private static let numberColumn = "_etl_row"
    /// The column that marks rows whose cells are guarded against spreadsheets (`FormulaGuard`).
    package static let guardColumn = "_etl_csv_safe"
    /// Prefix of the list's column names for cells beyond a source's columns.
    package static let extraColumnPrefix = "column "

    /// A row of the list.
    package struct Row: Sendable, Hashable {
        /// Index of the record's file among the job's inputs.
        package var file: Int
        /// The record's number in its file; nil if the row does not have a valid one.
        package var record: Int?
        /// Whether the row is within the limits. If not, its record number is not read.
        package var isComplete: Bool
        /// A cell for each of ``CorrectedList/names``.
        package var cells: [String]
    }

    /// A list is as wide as its widest reject, and a record may have been rejected for its number of columns.
    private static let limits = RecordLimits(columns: 1 << 17)

    /// The source files' columns, in the order of the list.
    package let names: [String]
    private let columns: [Int]
    private let number: Int
    /// Index of ``guardColumn``; nil if no cell is guarded.
    private let guardMark: Int?
    /// Whether cells may be in different encodings, as in the source file.
    private let isMixed: Bool
    private var reader: RecordReader
    private let path: String
    private let stop: StopSignal?

    /// Opens a list and finds its header.
    ///
    /// - Parameters:
    ///   - job: The name of the job whose rejects it lists.
    ///   - text: The user's options for the list's encoding, delimiter and quotes.
    ///   - isMixed: Whether the source file mixes encodings; each cell is then decoded separately.
    ///   - limit: Limit of its expanded size.
    ///   - stop: If it is raised, reading ends with a failure.
    /// - Throws: `unusableInput` for a file without `numberColumn`, and what ``InputFile`` throws.
    package init(
        _ path: String, ofJob job: String, text: TextOptions, isMixed: Bool, limit: ExpansionLimit? = nil,
        stop: StopSignal? = nil
    ) throws(ETLError) {
        (self.path, self.stop) = (path, stop)
        let file = try InputFile(path, limit: limit, stop: stop)
        let head = try file.head()
        let encoding = text.encoding ?? (isMixed ? .utf8 : TextEncoding.sniff(head: head).encoding)
        let guess = Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect
        for dialect in file.isTable ? [.comma] : [guess, .comma, .semicolon, .tab] {
            var reader = try RecordReader(
                file.bytes(), dialect: file.isTable ? dialect : text.applied(to: dialect), encoding: encoding,
                limits: Self.limits)
            guard let header = try Self.next(&reader).flatMap({ HeaderNames($0.cells).names }),
                let number = header.firstIndex(of: Self.numberColumn)
            else { continue }
            let mark = header.lastIndex(of: Self.guardColumn)
            let added = Self.addedColumns + [Self.guardColumn]
            columns = header.indices.filter { !added.contains(header[$0]) }
            names = columns.map { mark == nil ? header[$0] : FormulaGuard.takenOff(header[$0]) }
            self.number = number
            guardMark = mark
            self.isMixed = isMixed
            self.reader = reader
            return
        }
        throw ETLError(
            .unusableInput,
            "`\(path)` is not a list of rejected records: it has no column \(Self.numberColumn).",
            advice: "Create one with \(UserCommand.errorTable(job: job)), and correct its rows.")
    }

    /// The next row; nil at the end of the list.
    ///
    /// - Throws: `temporary` if the run is to stop, and what reading throws.
    package mutating func next() throws(ETLError) -> Row? {
        try stop?.check(reading: path)
        guard let (cells, isComplete) = try Self.next(&reader, isMixed: isMixed) else { return nil }
        let place = cells.indices.contains(number) && isComplete ? Self.place(cells[number]) : nil
        let isGuarded =
            guardMark.map { cells.indices.contains($0) && FormulaGuard.isMark(cells[$0].utf8) } ?? false
        return Row(
            file: place?.file ?? 0, record: place?.record, isComplete: isComplete,
            cells: columns.map { column in
                guard cells.indices.contains(column) else { return "" }
                return isGuarded ? FormulaGuard.takenOff(cells[column]) : cells[column]
            })
    }

    /// Parses `12`, or `2#12` for a record of the second file.
    private static func place(_ cell: String) -> (file: Int, record: Int)? {
        let parts = cell.split(separator: "#", omittingEmptySubsequences: false)
            .map { number(String($0.filter { !$0.isWhitespace })) }
        guard parts.count <= 2, let record = parts.last ?? nil else { return nil }
        guard parts.count == 2 else { return (0, record) }
        return parts[0].map { ($0 - 1, record) }
    }

    /// The number of a file or record, from 1 to `Int32.max`.
    private static func number(_ text: String) -> Int? {
        Int(text).flatMap { (1...Int(Int32.max)).contains($0) ? $0 : nil }
    }

    /// The cells of the next record that is not blank, and whether they are complete.
    private static func next(
        _ reader: inout RecordReader, isMixed: Bool = false
    ) throws(ETLError) -> (cells: [String], isComplete: Bool)? {
        while let (record, cells, arena) = try reader.next() {
            if record.isBlank { continue }
            let texts = cells.map { cell in
                isMixed
                    ? arena.withBytes(cell) { bytes in
                        MixedEncoding.decoded(bytes).map { String(decoding: $0, as: UTF8.self) }
                            ?? String(decoding: bytes, as: UTF8.self)
                    } : arena[cell]
            }
            return (texts, record.flags.isDisjoint(with: .withoutCells))
        }
        return nil
    }
}
