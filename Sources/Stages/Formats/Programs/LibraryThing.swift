package import Books
import Bytes
import Syntax

/// LibraryThing's exports as delimited text: tab-delimited and CSV with 49 columns, and the CSV from before
/// 2015.
///
/// | layout | columns | notes |
/// | --- | --- | --- |
/// | since 2015 | 49 | family name first, parallel roles separated by `\|`, dates and ISBN in brackets |
/// | before | 16 | header cells with their own quotes (`'TITLE'`); publisher, binding and pages in one cell |
///
/// Both mix UTF-8, MARC-8 and windows-1252 within one file, and contain films and records besides books.
package struct LibraryThing: LibraryFormat {
    package let name = "librarything"

    package init() {}

    package var mixesEncodings: Bool { true }

    package func score(_ header: HeaderNames) -> Double {
        max(Self.present.score(header), Self.old.score(header))
    }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        (Self.present.score(header) >= Self.old.score(header) ? Self.present : Self.old).fields(header)
    }

    package func expected(_ header: HeaderNames) -> [DescribedColumn] {
        (Self.present.score(header) >= Self.old.score(header) ? Self.present : Self.old).expected
    }

    package func additional(_ key: String) -> LibraryField? { Self.present.additional(key) }

    package func second(_ key: String) -> LibraryField? { Self.present.second(key) }

    package var described: [DescribedColumn] {
        Self.present.described + Self.old.described.filter { !Self.present.described.contains($0) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        readPeople(of: &row, in: &rows)
        rows.readFormat(of: &row)
        readPublication(of: &row, in: &rows)
        for field in Self.bracketed { rows.readWithoutBrackets(field, of: &row) }
        readYear(of: &row, in: &rows)
        rows.readCollections(of: &row)
        rows.readRating(of: &row)
        rows.readLanguage(of: &row)
        rows.readLanguage(.originalLanguage, of: &row)
        rows.readSubjects(of: &row, areHeadings: true)
        rows.read(.privateNotes, addingFrom: ["Comment"], separator: "\n", of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.readKind(of: &row)
    }

    private func readPeople(of row: inout LibraryRow, in rows: inout LibraryRows) {
        guard rows.columns[.authorLastFirst] != nil, rows.columns[.author] == nil else {
            rows.readPeople(of: &row)
            return
        }
        rows.readNames(
            rows.cell(.authorLastFirst, of: row), rolesIn: rows.cell(.authorRole, of: row),
            in: .authorLastFirst, order: .familyFirst, of: &row)
        rows.readNames(
            rows.cell(.additionalAuthors, of: row), rolesIn: rows.cell(.additionalRoles, of: row),
            in: .additionalAuthors, order: .familyFirst, of: &row)
    }

    /// `Del Rey (2011), Edition: Reprint, Paperback, 528 pages`: publisher, binding and pages in one cell.
    private func readPublication(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let cell = rows.cell(.publisher, of: row)
        guard !cell.isEmpty else { return }
        let publication = rows.arena.withBytes(cell) { LibraryThingPublication($0) }
        let publisher = cell.part(publication.publisher)
        let resolved = rows.arena.withBytes(publisher) { HTMLReferences.resolved($0) }
        rows.read(.publisher, as: resolved.map { rows.arena.append($0) } ?? publisher, of: &row)
        if let pages = publication.pages, rows.cell(.pageCount, of: row).isEmpty {
            rows.read(.pageCount, as: cell.part(pages), of: &row)
        }
        if row.format == nil { row.format = publication.format }
        if publication.isNoBook { row.refusal = .notABook }
    }

    /// `?` is an unknown year.
    private func readYear(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let year = rows.cell(.yearPublished, of: row)
        if year.length == 1, rows.arena.withBytes(year, { $0[0] == UInt8(ascii: "?") }) {
            rows.read(.yearPublished, as: .none, of: &row)
        }
    }

    /// Fields whose values are in brackets.
    private static let bracketed: [LibraryField] = [.dateRead, .dateStarted, .dateAdded, .purchaseDate]

    private static let present = FormatColumns(
        [
            .common(.sourceID, "book id"), .common(.title, "title"), .distinctive(nil, "sort character"),
            .distinctive(.authorLastFirst, "primary author"),
            .distinctive(.authorRole, "primary author role"),
            .distinctive(.additionalAuthors, "secondary author"),
            .distinctive(.additionalRoles, "secondary author roles"),
            .distinctive(.publisher, "publication"), .common(.yearPublished, "date"),
            .common(.review, "review"),
            .common(.rating, "rating"), .distinctive(.privateNotes, "private comment"),
            .distinctive(.binding, "media"),
            .common(.pageCount, "page count"), .common(.purchaseDate, "acquired"),
            .common(.dateStarted, "date started"), .common(.dateRead, "date read"), .common(.bcid, "bcid"),
            .common(.shelves, "tags"), .distinctive(.exclusiveShelf, "collections"),
            .distinctive(.language, "languages"),
            .distinctive(.isbn13, "isbns"), .common(.isbn10, "isbn"), .common(.ownedCopies, "copies"),
            .distinctive(.dateAdded, "entry date"), .common(.purchaseLocation, "from where"),
            .distinctive(.libraryThingWork, "work id"), .common(.subjects, "subjects"),
            .common(.originalLanguage, "original languages"), .common(.oclcNumber, "oclc"),
            .common(.lccn, "lccn"), .second(.privateNotes, "comment"),
            .common(.barcode, "barcode"), .common(.lentTo, "lending patron"),
        ],
        unmapped: [
            "summary", "physical description", "weight", "height", "thickness", "length", "dimensions",
            "lc classification", "dewey decimal", "dewey wording", "other call number", "source",
            "lending status", "lending start", "lending end",
        ])

    private static let old = FormatColumns([
        .common(.title, "title"), .distinctive(.author, "author (first, last)"),
        .distinctive(.authorLastFirst, "author (last, first)"), .common(.yearPublished, "date"),
        .distinctive(nil, "lcc"), .distinctive(nil, "ddc"), .distinctive(.isbn13, "isbns"),
        .distinctive(.publisher, "publication info"), .distinctive(.rating, "ratings"),
        .distinctive(.review, "reviews"),
        .distinctive(.dateAdded, "entry date"), .common(.ownedCopies, "copies"),
        .distinctive(.exclusiveShelf, "collections"), .common(.shelves, "tags"),
        .common(.privateNotes, "comment"), .common(.subjects, "subjects"),
    ])
}

/// LibraryThing knows half stars, one date of start and end, collections for the reading status, and languages by
/// their English names.
extension LibraryThing {
    static let layout = TableLayout(
        "librarything", "LibraryThing", delimiter: UInt8(ascii: "\t"),
        [
            .kept("Book Id"), .text("Title", .title), .kept("Sort Character"),
            LayoutColumn("Primary Author", [.authors]) { entry, _ in
                entry.people.first.map { LayoutText.inverted($0.name) } ?? ""
            },
            LayoutColumn("Primary Author Role", []) { entry, _ in entry.people.first.map(role) ?? "" },
            LayoutColumn("Secondary Author", [.contributors]) { entry, _ in
                entry.people.dropFirst().map { LayoutText.inverted($0.name) }.joined(separator: "|")
            },
            LayoutColumn("Secondary Author Roles", []) { entry, _ in
                let roles = entry.people.dropFirst().map(role)
                return roles.allSatisfy(\.isEmpty) ? "" : roles.joined(separator: "|")
            },
            LayoutColumn("Publication", [.publisher]) { entry, _ in publication(of: entry) },
            LayoutColumn("Date", [.publishedDate]) { entry, losses in entry.publicationYear(&losses) },
            .text("Review", .review),
            LayoutColumn("Rating", [.rating]) { entry, losses in
                entry.rating(steps: 2, &losses).map(LibraryEntry.spelled) ?? ""
            },
            .kept("Comment"), .text("Private Comment", .notes), .kept("Summary"),
            LayoutColumn("Media", [.format]) { entry, _ in entry.format.map(medium) ?? "" },
            .kept("Physical Description"), .kept("Weight"), .kept("Height"), .kept("Thickness"),
            .kept("Length"),
            .kept("Dimensions"), .text("Page Count", .pageCount), .text("LCCN", .lccn),
            .date("Acquired", .purchaseDate, .brackets) { $0[.purchaseDate] },
            .date("Date Started", .dateStarted, .brackets) { $0.readings.last?.started ?? "" },
            .date("Date Read", .dateRead, .brackets) { $0.lastFinished },
            .text("Barcode", .barcode), .text("BCID", .bcid),
            LayoutColumn("Tags", [.shelves]) { entry, _ in
                let collections = ownCollections(of: entry)
                return entry.tags.filter { !collections.contains($0) }.joined(separator: ", ")
            },
            LayoutColumn("Collections", [.shelf]) { entry, losses in
                if entry.status == nil {
                    losses.lose(.shelf, entry[.shelf], as: "collection \(entry[.shelf])")
                }
                return collections(of: entry)
            }.together(with: "Tags", "Date Read"),
            LayoutColumn("Languages", [.language]) { entry, _ in LanguageNames.english(entry[.language]) },
            LayoutColumn("Original Languages", [.originalLanguage]) { entry, _ in
                LanguageNames.english(entry[.originalLanguage])
            },
            .kept("LC Classification"),
            LayoutColumn("ISBN", [.isbn]) { entry, _ in "[\(bestISBN(entry))]" },
            LayoutColumn("ISBNs", []) { entry, _ in
                [LayoutText.isbn10(entry[.isbn]), entry[.isbn]].filter { !$0.isEmpty }.joined(separator: ", ")
            },
            LayoutColumn("Subjects", [.categories]) { entry, _ in entry.subjects.joined(separator: "|") },
            .kept("Dewey Decimal"), .kept("Dewey Wording"), .kept("Other Call Number"),
            LayoutColumn("Copies", [.ownedCopies, .copies]) { entry, _ in entry.value(of: .ownedCopies) ?? ""
            },
            .kept("Source"), .date("Entry Date", .dateAdded, .brackets) { $0[.dateAdded] },
            .text("From Where", .purchaseLocation), .text("OCLC", .oclcNumber),
            .text("Work id", .libraryThingWork), .text("Lending Patron", .lentTo), .kept("Lending Status"),
            .kept("Lending Start"), .kept("Lending End"),
        ])

    private static func role(_ person: LibraryEntry.Contributor) -> String {
        person.role == .author || person.role == .contributor ? "" : LayoutText.role(person.role)
    }

    private static func bestISBN(_ entry: LibraryEntry) -> String {
        let ten = LayoutText.isbn10(entry[.isbn])
        return ten.isEmpty ? entry[.isbn] : ten
    }

    /// `Del Rey (2011), Paperback`
    private static func publication(of entry: LibraryEntry) -> String {
        guard !entry[.publisher].isEmpty else { return "" }
        let year = LayoutText.year(entry[.publishedDate])
        let publisher = year.isEmpty ? entry[.publisher] : "\(entry[.publisher]) (\(year))"
        return entry.format.map { "\(publisher), \(medium($0))" } ?? publisher
    }

    private static func medium(_ format: EditionFormat) -> String {
        switch format {
        case .hardcover: "Hardcover"
        case .paperback: "Paperback"
        case .massMarket: "Mass Market Paperback"
        case .ebook: "Ebook"
        case .audiobook: "Audiobook"
        }
    }

    /// The shelves that are collections in the book's own row. They are collections still.
    private static func ownCollections(of entry: LibraryEntry) -> [String] {
        guard entry.formatName == layout.name, let cell = entry.cells["collections"] else { return [] }
        return ShelfList.names(in: cell.text).filter(entry.tags.contains)
    }

    /// The collection of the status, and those of the user. A book that was read needs one only if it has no date.
    private static func collections(of entry: LibraryEntry) -> String {
        let isOwned = entry.value(of: .ownedCopies) != nil
        let isDated = CalendarDate(entry.lastFinished) != nil
        let status: String =
            switch entry.status {
            case .read: isDated ? "" : isOwned ? "Read" : "Read but unowned"
            case .reading: "Currently reading"
            case .toRead: isOwned ? "To read" : "Wishlist"
            case .notFinished: "Did not finish"
            case .paused: "Paused"
            case nil: entry[.shelf]
            }
        let own = isOwned || status.isEmpty ? ["Your library"] : []
        return (own + [status] + ownCollections(of: entry)).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
