/// BookBuddy's export, as its app writes it.
package struct BookBuddy: TabularFormat {
    package let name = "bookbuddy"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readSeriesColumn(of: &row)
        rows.readPeople(of: &row)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.checkDates(of: &row)
        rows.setAsideWhatIsNoBook(&row)
    }

    package static let columns = ProfileColumns([
        .usual(.title, "title"), .telling(nil, "original title"), .usual(.series, "series"),
        .usual(.seriesNumber, "volume"), .usual(.author, "author"),
        .telling(.authorLastFirst, "author (last, first)"), .usual(.isbn13, "isbn"),
        .usual(.publisher, "publisher"), .usual(.yearPublished, "year published"),
        .telling(.originalYear, "original year published"), .usual(.pageCount, "number of pages", "pages"),
        .usual(.binding, "format"), .usual(.language, "language"), .telling(nil, "place of publication"),
        .telling(nil, "physical location"), .usual(.exclusiveShelf, "status"), .usual(.rating, "rating"),
        .usual(.dateStarted, "date started"), .usual(.dateRead, "date finished"),
        .usual(.dateAdded, "date added"), .telling(nil, "loaned to"), .usual(.ownedCopies, "quantity"),
        .usual(.condition, "condition"), .usual(.recommendedBy, "recommended by"), .usual(.shelves, "tags"),
        .usual(.purchaseDate, "purchase date"), .usual(.purchaseLocation, "purchase place"),
        .usual(.privateNotes, "notes"), .telling(.sourceID, "google volumeid", "google volume id"),
        .telling(nil, "wish list"), .telling(nil, "previously owned"), .telling(nil, "up next"),
    ])
}
