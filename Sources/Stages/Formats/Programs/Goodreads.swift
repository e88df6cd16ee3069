package import Books
import Bytes

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

    package var namesStatuses: Bool { true }

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

    package func expected(_ header: HeaderNames) -> [DescribedColumn] {
        Self.columns.filter(\.isInAllLayouts).map { DescribedColumn(names: [$0.key], field: $0.field) }
    }

    package var described: [DescribedColumn] {
        Self.columns.map { DescribedColumn(names: [$0.key], field: $0.field) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readPeople(of: &row)
        rows.readFormat(of: &row)
        readShelf(of: &row, in: &rows)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.readKind(of: &row)
    }

    /// Goodreads has no status for a book that was given up: its users make a shelf for it. Their other shelves are
    /// their own.
    private func readShelf(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let cell = rows.cell(.exclusiveShelf, of: row)
        let isGivenUp = rows.arena.withBytes(cell) {
            !$0.isEmpty && !ReadingStatus.isUsual($0) && ReadingStatus($0) == .notFinished
        }
        if isGivenUp { rows.readShelf(of: &row) }
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

/// Goodreads writes whole stars, one date per reading, shelves in lower case with hyphens, and ISBNs as formulas.
/// The columns that it stopped writing in 2022 are written only if an entry needs them.
extension Goodreads {
    static let layout = TableLayout(
        "goodreads", "Goodreads",
        [
            LayoutColumn("Book Id", [.goodreadsBook]) { entry, _ in entry[.goodreadsBook] },
            LayoutColumn("Title", [.title, .series]) { entry, _ in
                let series = entry.series.map { $0.number.isEmpty ? $0.name : "\($0.name), #\($0.number)" }
                let isNumbered = entry.series.contains { !$0.number.isEmpty }
                return isNumbered ? "\(entry[.title]) (\(series.joined(separator: "; ")))" : entry[.title]
            },
            LayoutColumn("Author", [.authors, .contributors]) { entry, losses in
                entry.allNames(&losses).first ?? ""
            },
            LayoutColumn("Author l-f", []) { entry, _ in
                entry.people.first.map { LayoutText.inverted($0.name) } ?? ""
            },
            LayoutColumn("Additional Authors", []) { entry, _ in
                entry.people.dropFirst().map(\.name).joined(separator: ", ")
            },
            LayoutColumn("ISBN", [.isbn]) { entry, _ in formula(LayoutText.isbn10(entry[.isbn])) },
            LayoutColumn("ISBN13", []) { entry, _ in formula(entry[.isbn]) },
            LayoutColumn("My Rating", [.rating]) { entry, losses in
                entry.rating(steps: 1, &losses).map(LibraryEntry.spelled) ?? "0"
            },
            .text("Average Rating", .averageRating), .text("Publisher", .publisher),
            LayoutColumn("Binding", [.format]) { entry, _ in entry.format.map(binding) ?? "" },
            .text("Number of Pages", .pageCount),
            LayoutColumn("Year Published", [.publishedDate]) { entry, losses in
                entry.publicationYear(&losses)
            },
            .text("Original Publication Year", .firstPublicationYear),
            .date("Date Read", .dateRead, .slashes) { $0.lastFinished },
            .date("Date Added", .dateAdded, .slashes) { $0[.dateAdded] },
            LayoutColumn("Bookshelves", [.shelves]) { entry, losses in shelves(of: entry, &losses) },
            .text("Bookshelves with positions", .shelfPositions),
            LayoutColumn("Exclusive Shelf", [.shelf]) { entry, losses in
                let shelf = shelfName(entry[.shelf])
                losses.lose(.shelf, entry[.shelf], as: shelf)
                return shelf
            },
            .text("My Review", .review),
            LayoutColumn("Spoiler", [.spoiler]) { entry, _ in entry.value(of: .spoiler) ?? "" },
            .text("Private Notes", .notes),
            LayoutColumn("Read Count", [.readCount]) { entry, _ in
                Int(entry[.readCount]).map(String.init) ?? String(entry.impliedReadings)
            },
            .text("Recommended For", .recommendedFor).inGroup(2015),
            .text("Recommended By", .recommendedBy).inGroup(2015),
            LayoutColumn("Owned Copies", [.ownedCopies]) { entry, _ in entry.value(of: .ownedCopies) ?? "0" },
            .date("Original Purchase Date", .purchaseDate, .slashes) { $0[.purchaseDate] }.inGroup(2015),
            .text("Original Purchase Location", .purchaseLocation).inGroup(2015),
            .text("Condition", .condition).inGroup(2015),
            .text("Condition Description", .conditionDescription).inGroup(2015),
            .text("BCID", .bcid).inGroup(2015),
        ])

    /// The digits in a formula, so that spreadsheets keep them: `="0441013597"`.
    private static func formula(_ digits: String) -> String { "=\"\(digits)\"" }

    private static func binding(_ format: EditionFormat) -> String {
        switch format {
        case .hardcover: "Hardcover"
        case .paperback: "Paperback"
        case .ebook: "ebook"
        case .audiobook: "Audiobook"
        case .massMarket: "Mass Market Paperback"
        }
    }

    /// The tags, and the exclusive shelf unless it is `read`.
    private static func shelves(of entry: LibraryEntry, _ losses: inout EntryLosses) -> String {
        var names: [String] = []
        for tag in entry.tags {
            let name = shelfName(tag)
            losses.lose(.shelves, tag, as: name)
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        let shelf = shelfName(entry[.shelf])
        if entry.status != .read, !shelf.isEmpty, !names.contains(shelf) { names.append(shelf) }
        return names.joined(separator: ", ")
    }

    /// A name as Goodreads allows it for a shelf: letters and digits in lower case, with hyphens between.
    private static func shelfName(_ name: String) -> String {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
}
