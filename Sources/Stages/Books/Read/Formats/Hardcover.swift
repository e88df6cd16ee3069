import Bytes

/// Hardcover's export: 37 columns, as documented by importers and exporters in public repositories (2025).
///
/// `Author` names all people with their roles in brackets (`Roberto Bolaño, Natasha Wimmer (Translator)`).
/// `Series` has the number in brackets (`2666 (#1.0)`). If `Binding` is empty, `Media` distinguishes books
/// from recordings.
package struct Hardcover: TabularFormat {
    package let name = "hardcover"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.read(.binding, orFrom: ["Media"], of: &row)
        readLists(of: &row, in: &rows)
        rows.readTitle(of: &row)
        rows.readSubtitle(of: &row)
        rows.readBracketedSeries(of: &row)
        readPeople(of: &row, in: &rows)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readSubjects(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.readYesNo(.ownedCopies, of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.setAsideNonBooks(&row)
    }

    /// Lists without the book's place in them (`Owned, Favorites (#19)`), and the user's tags.
    private func readLists(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let lists = rows.cell(.shelves, of: row)
        if rows.arena.withBytes(lists, { $0.contains(UInt8(ascii: "#")) }) {
            let names = rows.arena[lists].split(separator: ",").map { list in
                let place = list.hasSuffix(")") ? list.ranges(of: " (#").last : nil
                return String(place.map { list[..<$0.lowerBound] } ?? list)
            }
            rows.read(.shelves, as: rows.arena.append(names.joined(separator: ",")), of: &row)
        }
        rows.read(.shelves, addingFrom: ["Tags"], separator: ", ", of: &row)
    }

    /// All people are in one cell. The author is the first one without another role.
    private func readPeople(of row: inout LibraryRow, in rows: inout LibraryRows) {
        row.people = rows.people.count..<rows.people.count
        rows.readNames(
            rows.cell(.author, of: row), in: .author, separator: UInt8(ascii: ","), of: &row)
        rows.putAuthorFirst(of: row)
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .common(.subtitle, "subtitle"), .common(.author, "author"),
            .common(.series, "series"), .distinctive(.sourceID, "hardcover book id"),
            .distinctive(nil, "hardcover edition id"), .common(.isbn10, "isbn 10", "isbn10"),
            .common(.isbn13, "isbn 13", "isbn13"), .common(.binding, "binding", "media"),
            .common(.pageCount, "pages"), .common(.yearPublished, "publish date", "release date"),
            .common(.publisher, "publisher"), .common(.language, "language code", "language"),
            .common(.subjects, "genres"), .common(.dateAdded, "date added"),
            .common(.exclusiveShelf, "status"), .common(.rating, "rating"), .common(.review, "review"),
            .common(.spoiler, "review contains spoilers"), .common(.privateNotes, "private notes"),
            .common(.dateStarted, "date started"), .common(.dateRead, "date finished"),
            .common(.readCount, "read count"), .common(.ownedCopies, "owned"),
            .common(.shelves, "lists", "tags"), .additional(.shelves, "tags"),
            .additional(.binding, "media"), .common(.asin, "asin"),
        ],
        unmapped: [
            "privacy", "country code", "duration in seconds", "moods", "content warnings",
            "sponsored review", "review date", "review url", "review media url", "compilation",
            "review slate",
        ])
}
