import Bytes

/// BookWyrm's export.
///
/// A shelf is either one of four reading statuses or one of the user's own.
package struct BookWyrm: TabularFormat {
    package let name = "bookwyrm"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readPeople(of: &row)
        let shelf = rows.cell(.exclusiveShelf, of: row)
        if rows.arena.withBytes(shelf, { ReadingStatus($0) }) == nil {
            rows.read(.exclusiveShelf, as: .none, of: &row)
        } else {
            rows.readShelf(of: &row)
        }
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.setAsideNonBooks(&row)
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .distinctive(.additionalAuthors, "author text"),
            .distinctive(.sourceID, "remote id"),
            .distinctive(.openLibraryEdition, "openlibrary key"), .distinctive(nil, "inventaire id"),
            .distinctive(.libraryThingWork, "librarything key"), .common(.goodreadsBook, "goodreads key"),
            .common(.asin, "asin"), .common(.oclcNumber, "oclc number"),
            .common(.isbn10, "isbn 10"), .common(.isbn13, "isbn 13"), .common(.dateStarted, "start date"),
            .common(.dateRead, "finish date"), .common(.rating, "rating"), .distinctive(nil, "review cw"),
            .distinctive(.review, "review content"), .common(.exclusiveShelf, "shelf"),
            .distinctive(.shelves, "shelf name"),
            .distinctive(.dateAdded, "shelf date"),
        ],
        unmapped: [
            "review name", "review published", "stopped date",
        ])
}
