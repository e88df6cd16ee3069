/// Hardcover's export: 37 columns, as its importers and exporters in public repositories write them down (2025).
///
/// `Author` names all people with their roles in brackets (`Roberto Bolaño, Natasha Wimmer (Translator)`), `Series` has
/// the place in brackets (`2666 (#1.0)`), and where `Binding` is empty `Media` tells books from recordings.
package struct Hardcover: TabularFormat {
    package let name = "hardcover"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readBracketedSeries(of: &row)
        readPeople(of: &row, in: &rows)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.readYesNo(.ownedCopies, of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.setAsideWhatIsNoBook(&row)
    }

    /// One cell for all: the author is whoever comes first without another role.
    private func readPeople(of row: inout LibraryRow, in rows: inout LibraryRows) {
        row.people = rows.people.count..<rows.people.count
        rows.readNames(
            rows.cell(.author, of: row), in: .author, separator: UInt8(ascii: ","), of: &row)
        rows.putAuthorFirst(of: row)
    }

    package static let columns = ProfileColumns([
        .usual(.title, "title"), .usual(.author, "author"),
        .usual(.series, "series"), .telling(.sourceID, "hardcover book id"),
        .telling(nil, "hardcover edition id"), .usual(.isbn10, "isbn 10", "isbn10"),
        .usual(.isbn13, "isbn 13", "isbn13"), .usual(.binding, "binding", "media"),
        .usual(.pageCount, "pages"), .usual(.yearPublished, "publish date", "release date"),
        .usual(.publisher, "publisher"), .usual(.language, "language code", "language"),
        .usual(.subjects, "genres"), .usual(.dateAdded, "date added"),
        .usual(.exclusiveShelf, "status"), .usual(.rating, "rating"), .usual(.review, "review"),
        .usual(.spoiler, "review contains spoilers"), .usual(.privateNotes, "private notes"),
        .usual(.dateStarted, "date started"), .usual(.dateRead, "date finished"),
        .usual(.readCount, "read count"), .usual(.ownedCopies, "owned"), .usual(.shelves, "lists"),
    ])
}
