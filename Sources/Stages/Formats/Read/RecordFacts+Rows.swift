package import Books
import Bytes
package import System

extension RecordFacts {
    /// The facts of a row, as an import reads it.
    init(_ row: LibraryRow, of rows: LibraryRows) {
        self.init()
        sourceID = rows.string(.sourceID, of: row)
        title = rows.arena[row.title]
        if let first = row.people.first { author = rows.arena[rows.people[first].nameInFile] }
        for field in [LibraryField.isbn13, .isbn10] where isbn == nil {
            isbn = rows.arena.withBytes(rows.cell(field, of: row)) { ISBNReader.read($0).isbn }
        }
        dateAdded = rows.date(.dateAdded, of: row)
        dateRead = rows.date(.dateRead, of: row)
    }
}

extension LibraryRows {
    /// A date of a row in the order of the file; nil if the cell has none.
    func date(_ field: LibraryField, of row: LibraryRow) -> CalendarDate? {
        arena.withBytes(cell(field, of: row)) { DateText($0) }?.date(columns.dateOrder)
    }
}

extension ReadSettings {
    /// The facts of a file's first records, with the name of its format.
    ///
    /// - Parameter count: Maximum number of records.
    /// - Throws: For a file that cannot be used.
    package func facts(
        ofFile index: Int, atMost count: Int
    ) throws(ETLError) -> (formatName: String, records: [RecordFacts]) {
        let file = try LibraryFile(files[index], index: index, settings: self, stop: nil)
        var reader = try LibraryFileReader(file, settings: self)
        var (records, left): ([RecordFacts], Int) = ([], count)
        while left > 0, let chunk = try reader.next(atMost: left) {
            left -= chunk.recordsRead
            records += chunk.rows.rows.map { RecordFacts($0, of: chunk.rows) }
        }
        return (file.format.name, records)
    }
}
