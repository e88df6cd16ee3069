package import Books
import Bytes

/// BookBuddy's export. The user chooses the columns in the app.
///
/// The columns are those of published exports from 2014 (`Date Published`, `Length`, `Physical Location`,
/// `Category`) and from recent years (`Original Title`, `Year Published`, `Number of Pages`, `Position`).
package struct BookBuddy: TabularFormat {
    package let name = "bookbuddy"

    package init() {}

    package var namesStatuses: Bool { true }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.read(.yearPublished, orFrom: ["Year Published"], of: &row)
        rows.read(.originalYear, orFrom: ["Original Year Published"], of: &row)
        readCategory(of: &row, in: &rows)
        rows.readPlainTable(&row)
        let wish = rows.cell(named: ["Wish List", "Wishlist"], of: row)
        guard rows.arena.withBytes(wish, { $0.elementsEqual("1".utf8) }) else { return }
        rows.noteUnowned(&row)
        // A wish is a book to read, unless it was read already.
        if rows.cell(.exclusiveShelf, of: row).isEmpty {
            rows.read(.exclusiveShelf, as: rows.arena.append(ReadingStatus.toRead.rawValue), of: &row)
        }
    }

    /// A book has a genre and a category. Both are subjects.
    private func readCategory(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let genre = rows.arena.bytes(rows.arena.trimmed(rows.cell(.subjects, of: row)))
        let category = rows.arena.bytes(rows.arena.trimmed(rows.cell(named: ["Category"], of: row)))
        // Without a column for the genre, that for the category is already read.
        guard genre != category else { return }
        // A list keeps its separator.
        let isList = genre.contains(UInt8(ascii: ",")) && !genre.contains(UInt8(ascii: ";"))
        rows.read(.subjects, addingFrom: ["Category"], separator: isList ? ", " : "; ", of: &row)
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .common(.subtitle, "subtitle"), .common(.series, "series"),
            .common(.seriesNumber, "volume"), .common(.author, "author"),
            .distinctive(.authorLastFirst, "author (last, first)"),
            .common(.translators, "translator"), .common(.illustrators, "illustrator"),
            .common(.editors, "editor"), .common(.narrators, "narrator"), .common(.isbn13, "isbn"),
            .common(.publisher, "publisher"), .common(.yearPublished, "date published", "year published"),
            .common(.originalYear, "original date published", "original year published"),
            .common(.pageCount, "number of pages", "pages", "length"),
            .common(.binding, "format"), .common(.language, "language"),
            .common(.originalLanguage, "original language"),
            .common(.exclusiveShelf, "status"), .common(.rating, "rating"),
            .common(.dateStarted, "date started"), .common(.dateRead, "date finished"),
            .common(.dateAdded, "date added"), .common(.ownedCopies, "quantity"),
            .common(.condition, "condition"), .common(.location, "physical location"),
            .common(.lentTo, "loaned to"), .common(.price, "purchase price"),
            .common(.recommendedBy, "recommended by"),
            .common(.shelves, "tags"),
            .common(.purchaseDate, "purchase date"), .common(.purchaseLocation, "purchase place"),
            .common(.subjects, "genre", "category"), .common(.oclcNumber, "oclc"), .common(.lccn, "lccn"),
            .common(.privateNotes, "notes"), .distinctive(.sourceID, "google volumeid", "google volume id"),
            .distinctive(nil, "uploaded image url", "loaned to", "wish list", "up next"),
            .additional(.yearPublished, "year published"),
            .additional(.originalYear, "original year published"),
            .additional(.subjects, "category"), .additional(.exclusiveShelf, "wish list", "wishlist"),
        ],
        unmapped: [
            "original title", "photographer", "place of publication", "edition", "summary",
            "guided reading level", "lexile measure", "grade level equivalent", "word count",
            "audio runtime", "dimensions", "weight", "list price", "ddc", "lcc", "issn", "favorites",
            "status incompleted reason", "current page", "date loaned",
            "borrowed from", "date borrowed", "user supplied id", "previously owned",
            "position",
        ])
}
