import Bytes
package import Pipeline
import Syntax

/// A list of rejected records that its reader has mended: what `etl errors JOB --format csv` wrote, as it comes back
/// from an editor or a spreadsheet.
///
/// Its columns are those of the job's sources, and those that `etl` added. Of these only the record's number is looked
/// at, and whether cells are guarded; columns may stand in another order, and rows may be missing.
package struct CorrectedList: ~Copyable {
    /// What a list of errors has behind a record's cells: why it is listed, what is wrong, and its number.
    package static let addedColumns = ["_etl_reason", "_etl_detail", numberColumn]
    private static let numberColumn = "_etl_row"
    /// The column by which a list says that its cells are guarded against spreadsheets (``FormulaGuard``).
    package static let guardColumn = "_etl_csv_safe"
    /// What the list calls cells beyond a source's columns.
    package static let extraColumnPrefix = "column "

    /// A row of the list.
    package struct Row: Sendable, Hashable {
        /// Index of the record's file among the job's inputs.
        package var file: Int
        /// The record's number in its file; nil where the row does not tell it.
        package var record: Int?
        /// Whether the row is within the limits of the list; of one that is not nothing is known.
        package var isWhole: Bool
        /// A cell for each of ``CorrectedList/names``.
        package var cells: [String]
    }

    /// A list is as wide as its widest reject, which may have been turned away for that.
    private static let limits = RecordLimits(columns: 1 << 17)

    /// The sources' columns, in the order of the list.
    package let names: [String]
    private let columns: [Int]
    private let number: Int
    /// Where ``guardColumn`` is; nil where no cell is guarded.
    private let guardMark: Int?
    /// Whether cells may be in several encodings, as those of the source.
    private let isMixed: Bool
    private var reader: RecordReader

    /// Looks at a list.
    ///
    /// - Parameters:
    ///   - text: What is said of the list's encoding, delimiter and quotes.
    ///   - isMixed: Whether its source mixes encodings: then each cell is decoded for itself.
    /// - Throws: `unusableInput` for a file without ``numberColumn``, and what ``InputFile`` throws.
    package init(_ path: String, text: TextOptions, isMixed: Bool) throws(StageFailure) {
        let file = try InputFile(path)
        let head = try file.head()
        let encoding = text.encoding ?? (isMixed ? .utf8 : TextEncoding.sniff(head: head).encoding)
        let guess = Dialect.sniff(head: encoding.utf8(ofHead: head)).dialect
        for dialect in [guess, .comma, .semicolon, .tab] {
            var reader = try RecordReader(
                file.bytes(), dialect: text.applied(to: dialect), encoding: encoding, limits: Self.limits)
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
        throw StageFailure(
            .unusableInput, "\(path) is no list of rejected records: it has no column \(Self.numberColumn).",
            advice: "Create one with \(UserCommand.errorTable), and correct its rows.")
    }

    /// The next row; nil at the end of the list.
    package mutating func next() throws(StageFailure) -> Row? {
        guard let (cells, isWhole) = try Self.next(&reader, isMixed: isMixed) else { return nil }
        let place = cells.indices.contains(number) && isWhole ? Self.place(cells[number]) : nil
        let isGuarded =
            guardMark.map { cells.indices.contains($0) && FormulaGuard.isMark(cells[$0].utf8) } ?? false
        return Row(
            file: place?.file ?? 0, record: place?.record, isWhole: isWhole,
            cells: columns.map { column in
                guard cells.indices.contains(column) else { return "" }
                return isGuarded ? FormulaGuard.takenOff(cells[column]) : cells[column]
            })
    }

    /// `12`, or `2#12` for a record of the second file; earlier versions wrote `2:12`, which a spreadsheet takes for a
    /// time of day.
    private static func place(_ cell: String) -> (file: Int, record: Int)? {
        let parts = cell.split(omittingEmptySubsequences: false) { $0 == "#" || $0 == ":" }
            .map { number(String($0.filter { !$0.isWhitespace })) }
        guard parts.count <= 2, let record = parts.last ?? nil else { return nil }
        guard parts.count == 2 else { return (0, record) }
        return parts[0].map { ($0 - 1, record) }
    }

    /// The number of a file or of a record: from 1 on, and not more than there can be.
    private static func number(_ text: String) -> Int? {
        Int(text).flatMap { (1...Int(Int32.max)).contains($0) ? $0 : nil }
    }

    /// The cells of the next record that is not blank, and whether they are all of it.
    private static func next(
        _ reader: inout RecordReader, isMixed: Bool = false
    ) throws(StageFailure) -> (cells: [String], isWhole: Bool)? {
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
