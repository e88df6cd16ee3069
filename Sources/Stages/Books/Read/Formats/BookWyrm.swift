import Bytes

/// BookWyrm's export.
///
/// A shelf is one of four that say how far the reader is, or one of the reader's own.
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
        rows.setAsideWhatIsNoBook(&row)
    }

    package static let columns = ProfileColumns([
        .usual(.title, "title"), .telling(.additionalAuthors, "author text"),
        .telling(.sourceID, "remote id"),
        .telling(nil, "openlibrary key"), .telling(nil, "inventaire id"), .telling(nil, "librarything key"),
        .usual(.isbn10, "isbn 10"), .usual(.isbn13, "isbn 13"), .usual(.dateStarted, "start date"),
        .usual(.dateRead, "finish date"), .usual(.rating, "rating"), .telling(nil, "review cw"),
        .telling(.review, "review content"), .usual(.exclusiveShelf, "shelf"),
        .telling(.shelves, "shelf name"),
        .telling(.dateAdded, "shelf date"),
    ])
}
