package import Bytes
package import Pipeline
package import Syntax

/// A profile: what one exporter's files look like and what their records say.
///
/// A profile knows a file by the names of its columns, never by their order, and reads a record in place: it
/// fills the row's title, series, people and format, says what cells mean that others would misread
/// (``LibraryRows/read(_:as:of:)``), and notes what is odd. It sets aside what is no book
/// (``LibraryRow/refusal``) and never fails. One that knows its files by their bytes is a ``StructuredFormat``.
package protocol LibraryFormat: Sendable {
    /// Name on the command line and in the store: `goodreads`.
    var name: String { get }

    /// How much a header looks like this exporter's, 0…1. From ``LibraryFormats/threshold`` on the profile
    /// claims the file.
    func score(_ header: HeaderNames) -> Double

    /// What the columns mean. Columns it does not know stay unmapped; they are carried along all the same.
    func fields(_ header: HeaderNames) -> [LibraryField: Int]

    /// The columns that may hold the title as the reader's own row has it: the first that is not empty does.
    func readersTitles(_ header: HeaderNames) -> [Int]

    /// The fields of which a file must have one, or nothing in it can be a book.
    var identifying: [LibraryField] { get }

    /// Whether its files mix encodings, so that each cell is decoded for itself (``MixedEncoding``).
    var mixesEncodings: Bool { get }

    /// Fills title, series, people, format and notices of a row whose cells are set, and which is not yet
    /// among the rows. Runs for every record: it works on bytes and allocates nothing for a record that is in
    /// order.
    func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows)
}

extension LibraryFormat {
    package var identifying: [LibraryField] { ColumnMap.identifying }

    package var mixesEncodings: Bool { false }

    package func readersTitles(_ header: HeaderNames) -> [Int] { fields(header)[.title].map { [$0] } ?? [] }
}

/// A profile of files that have no header: it knows them by their first records, and names their columns itself.
package protocol HeaderlessFormat: LibraryFormat {
    /// The columns of a file; nil where its records are not of this exporter.
    ///
    /// - Parameter records: The first records that are not blank, at least one.
    func columns(of records: [[String]]) -> [String]?

    /// What told it, as one sentence for the reader.
    var evidence: String { get }
}

extension HeaderlessFormat {
    /// A file with a header is of another exporter.
    package func score(_ header: HeaderNames) -> Double { 0 }
}

/// A format with a syntax of its own: MARC, JSON, a database. It knows its files by their bytes, and brings the
/// stream that turns them into records with cells under columns of stable names; from there on they are treated
/// like any others (<doc:AddingAFormat>).
package protocol StructuredFormat: LibraryFormat {
    /// What in a file's first bytes tells that it is of this format, as one sentence for the reader; nil where
    /// nothing does. Cheap: it is asked of every file.
    ///
    /// - Parameter head: The first 64 KiB, unpacked, or the whole of a shorter file.
    func evidence(in head: [UInt8]) -> String?

    /// The columns of a file's records, in the order of their cells. The same names in the same order for every
    /// file that can be: entries of the store keep their cells under them.
    func columns(of file: InputFile) throws(StageFailure) -> [String]

    /// The records of a file, from its start or from a ``RecordStream/position`` of an earlier stream.
    ///
    /// - Throws: `unusableInput` for a file that is damaged as a whole, `inputOutput` if it cannot be read.
    func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(StageFailure) -> any RecordStream & ~Copyable

    /// The cells of one record's bytes, as its reject keeps them; nil where they cannot be told apart any more.
    func cells(ofRaw raw: [UInt8]) -> [[UInt8]]?
}

extension StructuredFormat {
    /// No header of delimited text is one of these.
    package func score(_ header: HeaderNames) -> Double { 0 }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? { nil }
}

/// The columns of a format whose files have none of their own: an enumeration, each case a column, in the order of
/// the cells. Names are stable: entries of the store keep their cells under them.
package protocol FormatColumn: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    /// The column's name, as people read it.
    var name: String { get }
    /// What the column means; nil for one that is carried along.
    var field: LibraryField? { get }
}

extension FormatColumn {
    /// All names, in the order of the cells.
    package static var names: [String] { allCases.map(\.name) }

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

    /// Forgets the record before.
    package mutating func clear() {
        for index in cells.indices { cells[index] = .none }
    }

    /// Appends all cells and returns where they are.
    package func append(to all: inout [Text]) -> Range<Int> {
        let start = all.count
        all.append(contentsOf: cells)
        return start..<all.count
    }
}
