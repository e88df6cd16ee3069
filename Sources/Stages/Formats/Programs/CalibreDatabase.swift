package import Books
import Bytes
package import Syntax
package import System

/// calibre's own database, `metadata.db`, in the folder of a calibre library.
package struct CalibreDatabase: StructuredFormat {
    package let name = CalibreBook.database

    package init() {}

    package func evidence(in head: [UInt8]) -> String? {
        DatabaseStream.evidence(
            of: "calibre",
            tables: ["books_authors_link", "books_ratings_link", "custom_columns", "books_plugin_data"],
            in: head)
    }

    package func columns(of file: InputFile) throws(ETLError) -> [String] {
        file.isPacked ? CalibreColumn.names : try CalibreBooks.columns(of: file.path)
    }

    package var described: [DescribedColumn] { CalibreColumn.described }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        CalibreCustomFields.fields(header, after: CalibreColumn.fields)
    }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        try DatabaseStream.checkIsPlain(file)
        return try CalibreBooks.records(of: file.path, limits: limits, from: start)
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        DatabaseStream.cells(ofRaw: raw)
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        row.title = rows.arena.collapsingBlanks(rows.cell(.title, of: row))
        rows.readSeriesColumn(of: &row)
        rows.readPeople(of: &row, names: CalibreColumn.authors.rawValue, roles: nil, order: .unknown)
        rows.readIdentifiers(rows.cell(column: CalibreColumn.identifiers.rawValue, of: row), of: &row)
        rows.readLanguage(of: &row)
        rows.readCalibreCustomFields(of: &row)
        // calibre's books are files.
        row.format = .ebook
        rows.checkDatesAndCounts(of: &row)
    }
}
