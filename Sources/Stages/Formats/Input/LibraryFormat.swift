package import Books
package import Bytes
package import Syntax
package import System

/// An export format: what one exporter's files look like and what their records mean.
///
/// A format recognizes a file by its column names, never by their order. It interprets a record in place: it
/// fills the row's title, series, people and format, replaces cells that would be misread
/// (``LibraryRows/read(_:as:of:)``), and notes problems. It sets aside records that are not books
/// (``LibraryRow/refusal``) and never fails. A format that recognizes its files by their bytes is a
/// ``StructuredFormat``.
package protocol LibraryFormat: Sendable {
    /// Name on the command line and in the store, such as `goodreads`.
    var name: String { get }

    /// Quality of a header's match with this format, 0…1. From ``LibraryFormats/threshold`` on the format is
    /// a match.
    func score(_ header: HeaderNames) -> Double

    /// The field of each known column. Other columns are not mapped; their cells are stored unchanged.
    func fields(_ header: HeaderNames) -> [LibraryField: Int]

    /// The field that it reads a column into although another column has the field; nil for most columns.
    ///
    /// - Parameter key: The column's name as ``HeaderNames`` compares it.
    func additional(_ key: String) -> LibraryField?

    /// The field of which it reads a column completely, besides the field's own column; nil for most columns.
    ///
    /// - Parameter key: The column's name as ``HeaderNames`` compares it.
    func second(_ key: String) -> LibraryField?

    /// The columns that may hold the title as the user wrote it. The first one that is not empty counts.
    func userTitles(_ header: HeaderNames) -> [Int]

    /// A file must have at least one of these fields, otherwise none of its records can be a book.
    var identifying: [LibraryField] { get }

    /// Meaning of its columns, for the documentation; empty for a format whose columns are not fixed.
    var described: [DescribedColumn] { get }

    /// The columns that every export has. An absent one was renamed or lost.
    func expected(_ header: HeaderNames) -> [DescribedColumn]

    /// Whether the column of the shelf has one reading status in words.
    var namesStatuses: Bool { get }

    /// Keys of columns without data of the user: leaving them out loses nothing.
    var ownColumns: Set<String> { get }

    /// Whether its files mix encodings, so that each cell is decoded separately (``MixedEncoding``).
    var mixesEncodings: Bool { get }

    /// All readings that a row lists, with start and end as the file writes them. Imports use the last one only
    /// (``LibraryField/dateRead``).
    func readings(of row: LibraryRow, in rows: LibraryRows) -> [(started: String, finished: String)]

    /// Fills title, series, people, format and warnings of a row. Its cells are set, and it is not yet among
    /// the rows. This runs for every record: it works on bytes and allocates nothing for a record without
    /// problems.
    func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows)
}

extension LibraryFormat {
    package var identifying: [LibraryField] { ColumnMap.identifying }

    package var ownColumns: Set<String> { [] }

    package var namesStatuses: Bool { false }

    package func expected(_ header: HeaderNames) -> [DescribedColumn] { [] }

    package var mixesEncodings: Bool { false }

    package func additional(_ key: String) -> LibraryField? { nil }

    package func second(_ key: String) -> LibraryField? { nil }

    package var described: [DescribedColumn] { [] }

    package func userTitles(_ header: HeaderNames) -> [Int] { fields(header)[.title].map { [$0] } ?? [] }

    package func readings(
        of row: LibraryRow, in rows: LibraryRows
    ) -> [(started: String, finished: String)] {
        let dates = (rows.string(.dateStarted, of: row), rows.string(.dateRead, of: row))
        return dates.0.isEmpty && dates.1.isEmpty ? [] : [dates]
    }
}

/// A format whose files have no header. It recognizes them by their first records and names the columns
/// itself.
package protocol HeaderlessFormat: LibraryFormat {
    /// The column names; nil if the records are not of this format.
    ///
    /// - Parameter records: The first records that are not blank, at least one.
    func columns(of records: [[String]]) -> [String]?

    /// Evidence for the format, as one sentence for the user.
    var evidence: String { get }
}

extension HeaderlessFormat {
    /// A file with a header has another format.
    package func score(_ header: HeaderNames) -> Double { 0 }
}

/// A format that is not delimited text: MARC, JSON, a database. It recognizes its files by their bytes, and
/// provides a stream of records with cells under fixed column names. After that they are treated like any
/// other records (docs/adding-a-format.md).
package protocol StructuredFormat: LibraryFormat {
    /// Evidence in a file's first bytes for this format, as one sentence for the user; nil if there is none.
    /// This runs for every file, so it must be fast.
    ///
    /// - Parameter head: The first 64 KiB, decompressed, or all of a shorter file; of a database, the first MiB.
    func evidence(in head: [UInt8]) -> String?

    /// The columns of a file's records, in the order of their cells. Entries in the store keep their cells under
    /// these names, so a name must mean the same in every file of the format.
    func columns(of file: InputFile) throws(ETLError) -> [String]

    /// The records of a file, from its start or from the `RecordStream.position` of an earlier stream.
    ///
    /// - Throws: `unusableInput` if the whole file is damaged, `inputOutput` if it cannot be read.
    func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable

    /// The cells of a record from the bytes that its reject keeps; nil if they cannot be parsed.
    func cells(ofRaw raw: [UInt8]) -> [[UInt8]]?

    /// Whether its files are text that does not name its encoding.
    var isText: Bool { get }
}

extension StructuredFormat {
    /// Headers of delimited text never have this format.
    package func score(_ header: HeaderNames) -> Double { 0 }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? { nil }

    package var isText: Bool { false }
}

/// The columns of a format whose files do not name any: each case is a column, in the order of the cells.
/// Names must not change, because entries in the store keep their cells under them.
package protocol FormatColumn: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    /// The column's name as shown to users.
    var name: String { get }
    /// The column's field; nil if it is not mapped.
    var field: LibraryField? { get }
}

extension FormatColumn {
    /// All names, in the order of the cells.
    package static var names: [String] { allCases.map(\.name) }

    /// Meaning of each column, for the documentation.
    static var described: [DescribedColumn] {
        allCases.map { DescribedColumn(names: [$0.name], field: $0.field) }
    }

    /// Which column holds which field.
    package static var fields: [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        for column in allCases {
            if let field = column.field { fields[field] = column.rawValue }
        }
        return fields
    }
}

/// The cells of one record, filled in any order.
package struct CellRow<ColumnName: FormatColumn> {
    private var cells: [Text]

    package init() {
        cells = Array(repeating: .none, count: ColumnName.allCases.count)
    }

    package subscript(_ column: ColumnName) -> Text {
        get { cells[column.rawValue] }
        set { cells[column.rawValue] = newValue }
    }

    /// Removes all cells.
    package mutating func clear() {
        for index in cells.indices { cells[index] = .none }
    }

    /// Appends all cells and returns their range.
    package func append(to all: inout [Text]) -> Range<Int> {
        let start = all.count
        all.append(contentsOf: cells)
        return start..<all.count
    }
}
