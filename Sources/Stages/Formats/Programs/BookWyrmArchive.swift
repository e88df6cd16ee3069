package import Books
import Bytes
package import Syntax
package import System

/// The archive of an account that BookWyrm makes for moving to another server: `archive.json`, alone or in its
/// `.tar.gz`. It has readings, lists, comments and quotations, which the CSV has not. Its entries are those of the
/// CSV.
package struct BookWyrmArchive: StructuredFormat {
    package let name = "bookwyrm-archive"

    package init() {}

    package func evidence(in head: [UInt8]) -> String? {
        // The archive is read as it is: the file comes first in it, and nothing else in it looks like a book.
        guard JSONHead(head) != nil || head.starts(with: Array("archive.json\0".utf8)),
            head.firstRange(of: Array("\"bookwyrmUser\"".utf8)) != nil
        else { return nil }
        return "It is JSON with BookWyrm's key bookwyrmUser."
    }

    package func columns(of file: InputFile) -> [String] { BookWyrmColumn.names }

    package var described: [DescribedColumn] { BookWyrmColumn.described }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { BookWyrmColumn.fields }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        BookWyrmStream(try file.bytes(from: start.byte), limits: limits, from: start)
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        RawRecordCells.read(raw) { BookWyrmStream($0, limits: .standard, from: .start) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        row.title = rows.arena.collapsingBlanks(rows.cell(.title, of: row))
        rows.readSubtitle(of: &row)
        rows.readSeriesColumn(of: &row)
        rows.readPeople(of: &row, names: BookWyrmColumn.authors.rawValue, roles: nil, order: .unknown)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readSubjects(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        let listed = rows.string(.dateRead, of: row)
        rows.read(.dateRead, as: .none, of: &row)
        rows.readEarlier(Self.readings(listed), of: &row)
        rows.checkDatesAndCounts(of: &row)
    }

    package func readings(
        of row: LibraryRow, in rows: LibraryRows
    ) -> [(started: String, finished: String)] {
        Self.readings(rows.columns[.dateRead].map { rows.arena[rows.cell(column: $0, of: row)] } ?? "")
    }

    private static func readings(_ listed: String) -> [(started: String, finished: String)] {
        DateRanges.all(listed, separator: ";", dash: "/")
    }
}
