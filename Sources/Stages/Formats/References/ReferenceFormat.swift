import Books
import Bytes
import Syntax
import System

/// A format of reference managers. Its files have records of ``ReferenceColumn``, each in a separate text.
protocol ReferenceFormat: StructuredFormat {
    associatedtype Framing: RecordFraming

    /// Finds the records, from the beginning of a file.
    var framing: Framing { get }

    /// Types of records that are not books.
    var otherKinds: Set<String> { get }

    /// Names that stand in place of values, by the file's first bytes.
    func abbreviations(in head: [UInt8]) -> [String: String]

    /// Reads a record; nil for a text that is not a record, such as a comment.
    func record(_ text: String, _ abbreviations: [String: String]) -> ReferenceRecord?
}

extension ReferenceFormat {
    func abbreviations(in head: [UInt8]) -> [String: String] { [:] }

    package func columns(of file: InputFile) -> [String] { ReferenceColumn.names }

    package var described: [DescribedColumn] { ReferenceColumn.described }

    package var isText: Bool { true }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { ReferenceColumn.fields }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        let encoding = file.encoding ?? .utf8
        let known = abbreviations(in: encoding.utf8(ofHead: try file.head()))
        return ReferenceStream(
            try file.bytes(from: start.byte), framing, encoding: encoding, limits: limits, from: start
        ) { record($0, known) }
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        RawRecordCells.read(raw) {
            ReferenceStream($0, framing, encoding: .utf8, limits: .standard, from: .start) { record($0, [:]) }
        }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        row.title = rows.arena.collapsingBlanks(rows.cell(.title, of: row))
        rows.readSeriesColumn(of: &row)
        rows.readPeople(
            of: &row, names: ReferenceColumn.people.rawValue, roles: ReferenceColumn.roles.rawValue)
        rows.readLanguage(of: &row)
        rows.readLanguage(.originalLanguage, of: &row)
        rows.checkDatesAndCounts(of: &row)
        let kind = rows.arena[rows.cell(column: ReferenceColumn.kind.rawValue, of: row)]
        if otherKinds.contains(kind) { row.refusal = .notABook }
    }
}
