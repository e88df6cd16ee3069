/// Hardcover's export.
package struct Hardcover: TabularFormat {
    package let name = "hardcover"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readSeriesColumn(of: &row)
        rows.readPeople(of: &row)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.readYesNo(.ownedCopies, of: &row)
        rows.checkDates([.dateAdded, .dateStarted, .dateRead], of: &row)
        rows.setAsideWhatIsNoBook(&row)
    }

    package static let columns = ProfileColumns([
        .usual(.title, "title"), .usual(.author, "author"),
        .usual(.additionalAuthors, "authors", "contributors"),
        .usual(.series, "series"), .telling(.sourceID, "hardcover book id"),
        .telling(nil, "hardcover edition id"), .usual(.isbn10, "isbn 10", "isbn10"),
        .usual(.isbn13, "isbn 13", "isbn13"), .usual(.binding, "binding", "format", "edition format"),
        .usual(.pageCount, "pages"), .usual(.yearPublished, "release date", "publish date"),
        .usual(.publisher, "publisher"), .usual(.language, "language"), .usual(.dateAdded, "date added"),
        .usual(.exclusiveShelf, "status"), .usual(.rating, "rating"), .usual(.review, "review"),
        .usual(.spoiler, "review contains spoilers"), .usual(.privateNotes, "private notes"),
        .usual(.dateStarted, "date started"), .usual(.dateRead, "date finished"),
        .usual(.readCount, "read count"), .usual(.ownedCopies, "owned"), .usual(.shelves, "lists"),
    ])
}
