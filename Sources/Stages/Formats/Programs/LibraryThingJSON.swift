package import Books
import Bytes
package import Syntax
package import System

/// LibraryThing's JSON export of all years: an object with the books' numbers as keys, a list, or several
/// concatenated objects.
package struct LibraryThingJSON: StructuredFormat {
    package let name = "librarything-json"

    package init() {}

    package var isText: Bool { true }

    package func evidence(in head: [UInt8]) -> String? {
        guard let found = JSONHead(head)?.keys(of: Self.keys), found.count > 1 else { return nil }
        return "It is JSON in UTF-8 with LibraryThing's keys \(found.joined(separator: " and "))."
    }

    /// Keys that every LibraryThing book has and other formats do not have.
    private static let keys = ["books_id", "sortcharacter", "workcode", "entrydate"]

    package func columns(of file: InputFile) -> [String] { LibraryThingColumn.names }

    package var described: [DescribedColumn] {
        LibraryThingColumn.allCases.map {
            DescribedColumn(names: [$0.name], field: $0.field ?? $0.additional)
        }
    }

    package func additional(_ key: String) -> LibraryField? {
        LibraryThingColumn.allCases.first { $0.name == key }?.additional
    }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { LibraryThingColumn.fields }

    package func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(ETLError) -> any RecordStream & ~Copyable {
        LibraryThingStream(
            try file.bytes(from: start.byte), encoding: file.encoding ?? .utf8, limits: limits, from: start)
    }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? {
        RawRecordCells.read(raw) { LibraryThingStream($0, limits: .standard, from: .start) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        row.title = rows.arena.collapsingBlanks(rows.cell(.title, of: row))
        rows.readSeriesColumn(of: &row)
        rows.readPeople(
            of: &row, names: LibraryThingColumn.authors.rawValue, roles: LibraryThingColumn.roles.rawValue,
            order: .unknown)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readLanguage(.originalLanguage, of: &row)
        rows.read(.subjects, addingFrom: [LibraryThingColumn.genre.name], separator: "; ", of: &row)
        rows.read(.privateNotes, addingFrom: [LibraryThingColumn.comment.name], separator: "\n", of: &row)
        // LibraryThing writes a question mark for an unknown date.
        if rows.string(.yearPublished, of: row) == "?" { rows.read(.yearPublished, as: .none, of: &row) }
        rows.checkDatesAndCounts(of: &row)
        rows.readCollections(of: &row)
        let format = rows.string(.binding, of: row).lowercased()
        if Self.nonBookWords.contains(where: { format.contains($0) }) { row.refusal = .notABook }
    }

    /// Words in the formats of films, recordings and games.
    private static let nonBookWords = [
        "dvd", "blu-ray", "vhs", "video", "film", "movie", "music", "vinyl", "game", "laserdisc",
        "laser disc",
        "lp record", "phonograph", "betamax", "45 rpm", "78 rpm", "tv show", "tv series",
    ]
}
