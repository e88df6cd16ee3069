import Bytes

/// Open Library's reading log.
///
/// Early logs hold only keys of works and editions. Their records are looked up by these keys. If no catalog
/// knows them, they are stored with the keys.
package struct ReadingLog: TabularFormat {
    package let name = "openlibrary"

    package init() {}

    /// A log that holds only keys has no title or ISBN column.
    package var identifying: [LibraryField] { ColumnMap.identifying + [.sourceID] }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        let key = rows.cell(.sourceID, of: row)
        if rows.arena.withBytes(key, { Self.isWork($0) }) { rows.read(.openLibraryWork, as: key, of: &row) }
        rows.readPeople(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
    }

    /// Whether a cell is a work key such as `OL45804W`.
    private static func isWork(_ cell: UnsafeRawBufferPointer) -> Bool {
        cell.count > 3 && cell.starts(with: "OL".utf8) && cell.last == UInt8(ascii: "W")
            && cell.dropFirst(2).dropLast().allSatisfy { (0x30...0x39).contains($0) }
    }

    package static let columns = FormatColumns([
        .distinctive(.sourceID, "work id"), .distinctive(.openLibraryEdition, "edition id"),
        .distinctive(.exclusiveShelf, "bookshelf"),
        .common(.title, "title"), .common(.additionalAuthors, "authors", "author"),
        .common(.originalYear, "first publish year"), .common(.isbn13, "isbn13", "isbn 13", "isbn"),
        .common(.isbn10, "isbn10", "isbn 10"), .common(.rating, "my ratings", "my rating", "rating"),
        .common(.averageRating, "average rating", "ratings average"),
        .common(.dateAdded, "date added", "created", "logged date"), .common(.review, "review"),
    ])
}
