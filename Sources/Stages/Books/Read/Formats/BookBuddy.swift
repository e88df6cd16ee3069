/// BookBuddy's export, as its app writes it. Which columns there are is the reader's choice in the app.
///
/// The columns are those of exports that readers have published: of 2014 (`Date Published`, `Length`, `Physical
/// Location`, `Category`) and of today (`Original Title`, `Year Published`, `Number of Pages`, `Position`).
package struct BookBuddy: TabularFormat {
    package let name = "bookbuddy"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readPlainTable(&row)
    }

    package static let columns = ProfileColumns([
        .usual(.title, "title"), .usual(.series, "series"),
        .usual(.seriesNumber, "volume"), .usual(.author, "author"),
        .telling(.authorLastFirst, "author (last, first)"), .usual(.isbn13, "isbn"),
        .usual(.publisher, "publisher"), .usual(.yearPublished, "year published", "date published"),
        .usual(.originalYear, "original year published"),
        .usual(.pageCount, "number of pages", "pages", "length"),
        .usual(.binding, "format"), .usual(.language, "language"),
        .usual(.exclusiveShelf, "status"), .usual(.rating, "rating"),
        .usual(.dateStarted, "date started"), .usual(.dateRead, "date finished"),
        .usual(.dateAdded, "date added"), .usual(.ownedCopies, "quantity"),
        .usual(.condition, "condition"), .usual(.recommendedBy, "recommended by"), .usual(.shelves, "tags"),
        .usual(.purchaseDate, "purchase date"), .usual(.purchaseLocation, "purchase place"),
        .usual(.subjects, "genre"),
        .usual(.privateNotes, "notes"), .telling(.sourceID, "google volumeid", "google volume id"),
        .telling(nil, "uploaded image url", "loaned to", "wish list", "up next"),
    ])
}
