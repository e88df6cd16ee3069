/// BookBuddy's export. The user chooses the columns in the app.
///
/// The columns are those of published exports from 2014 (`Date Published`, `Length`, `Physical Location`,
/// `Category`) and from recent years (`Original Title`, `Year Published`, `Number of Pages`, `Position`).
package struct BookBuddy: TabularFormat {
    package let name = "bookbuddy"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readPlainTable(&row)
    }

    package static let columns = FormatColumns([
        .common(.title, "title"), .common(.series, "series"),
        .common(.seriesNumber, "volume"), .common(.author, "author"),
        .distinctive(.authorLastFirst, "author (last, first)"), .common(.isbn13, "isbn"),
        .common(.publisher, "publisher"), .common(.yearPublished, "year published", "date published"),
        .common(.originalYear, "original year published"),
        .common(.pageCount, "number of pages", "pages", "length"),
        .common(.binding, "format"), .common(.language, "language"),
        .common(.exclusiveShelf, "status"), .common(.rating, "rating"),
        .common(.dateStarted, "date started"), .common(.dateRead, "date finished"),
        .common(.dateAdded, "date added"), .common(.ownedCopies, "quantity"),
        .common(.condition, "condition"), .common(.recommendedBy, "recommended by"),
        .common(.shelves, "tags"),
        .common(.purchaseDate, "purchase date"), .common(.purchaseLocation, "purchase place"),
        .common(.subjects, "genre"),
        .common(.privateNotes, "notes"), .distinctive(.sourceID, "google volumeid", "google volume id"),
        .distinctive(nil, "uploaded image url", "loaned to", "wish list", "up next"),
    ])
}
