/// Open Library's reading log.
///
/// The first ones hold nothing but keys of works and editions: without a title such a record is turned away.
package struct ReadingLog: TabularFormat {
    package let name = "openlibrary"

    package init() {}

    /// A log of keys alone is known for what it is all the same.
    package var identifying: [LibraryField] { ColumnMap.identifying + [.sourceID] }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readPeople(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.checkDates(of: &row)
    }

    package static let columns = ProfileColumns([
        .telling(.sourceID, "work id"), .telling(nil, "edition id"), .telling(.exclusiveShelf, "bookshelf"),
        .usual(.title, "title"), .usual(.additionalAuthors, "authors", "author"),
        .usual(.originalYear, "first publish year"), .usual(.isbn13, "isbn13", "isbn 13", "isbn"),
        .usual(.isbn10, "isbn10", "isbn 10"), .usual(.rating, "my ratings", "my rating", "rating"),
        .usual(.averageRating, "average rating", "ratings average"),
        .usual(.dateAdded, "date added", "created", "logged date"), .usual(.review, "review"),
    ])
}
