/// Goodreads' library export in every layout since 2015.
///
/// | years | columns | notes |
/// | --- | --- | --- |
/// | to 2015 | 31 | CRLF, ISBN cells unquoted: `="0553283685"` |
/// | 2016–22 | 31 | LF, ISBN cells quoted: `"=""0802134653"""` |
/// | since 2022 | 24 | no recommendations, purchase, condition and BCID |
/// | 2026 | 23 | no Average Rating; bare ISBNs and other dates exist |
///
/// ISBN cells keep their `="…"`. The stage that validates ISBNs interprets them.
package struct Goodreads: LibraryFormat {
    package let name = "goodreads"

    package init() {}

    /// The share of the columns common to all layouts that the header has.
    package func score(_ header: HeaderNames) -> Double {
        let keys = Set(header.keys)
        let found = Self.columns.count { $0.isInAllLayouts && keys.contains($0.key) }
        return Double(found) / Double(Self.columns.count(where: \.isInAllLayouts))
    }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        for column in Self.columns { fields[column.field] = header.column([column.key]) }
        return fields
    }

    package var described: [DescribedColumn] {
        Self.columns.map { DescribedColumn(names: [$0.key], field: $0.field) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readPeople(of: &row)
        rows.readFormat(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.setAsideNonBooks(&row)
    }

    private struct Column {
        var field: LibraryField
        /// The name as ``HeaderNames`` compares it.
        var key: String
        var isInAllLayouts: Bool

        init(_ field: LibraryField, _ key: String, isInAllLayouts: Bool = true) {
            self.field = field
            self.key = key
            self.isInAllLayouts = isInAllLayouts
        }
    }

    private static let columns: [Column] = [
        Column(.sourceID, "book id"),
        Column(.title, "title"),
        Column(.author, "author"),
        Column(.authorLastFirst, "author l f"),
        Column(.additionalAuthors, "additional authors"),
        Column(.isbn10, "isbn"),
        Column(.isbn13, "isbn13"),
        Column(.rating, "my rating"),
        Column(.averageRating, "average rating", isInAllLayouts: false),
        Column(.publisher, "publisher"),
        Column(.binding, "binding"),
        Column(.pageCount, "number of pages"),
        Column(.yearPublished, "year published"),
        Column(.originalYear, "original publication year"),
        Column(.dateRead, "date read"),
        Column(.dateAdded, "date added"),
        Column(.shelves, "bookshelves"),
        Column(.shelfPositions, "bookshelves with positions"),
        Column(.exclusiveShelf, "exclusive shelf"),
        Column(.review, "my review"),
        Column(.spoiler, "spoiler"),
        Column(.privateNotes, "private notes"),
        Column(.readCount, "read count"),
        Column(.recommendedFor, "recommended for", isInAllLayouts: false),
        Column(.recommendedBy, "recommended by", isInAllLayouts: false),
        Column(.ownedCopies, "owned copies"),
        Column(.purchaseDate, "original purchase date", isInAllLayouts: false),
        Column(.purchaseLocation, "original purchase location", isInAllLayouts: false),
        Column(.condition, "condition", isInAllLayouts: false),
        Column(.conditionDescription, "condition description", isInAllLayouts: false),
        Column(.bcid, "bcid", isInAllLayouts: false),
    ]
}
