package import Books
import Bytes

/// Inventaire's export of an inventory. Each row is an item of an edition of a work, each with its URL.
///
/// The columns are those of its export of 2025, as importers in public repositories have it: 32 columns, with
/// language names in the user's own language. An edition without a title takes the labels of its works.
package struct Inventaire: TabularFormat {
    package let name = "inventaire"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        if row.title.isEmpty, let works = rows.columns.names.firstIndex(where: Self.namesWorks) {
            row.title = rows.arena.collapsingBlanks(rows.cell(column: works, of: row))
        }
        rows.readSubtitle(of: &row)
        rows.readSeriesColumn(of: &row)
        rows.readPeople(of: &row)
        rows.readLanguage(of: &row)
        rows.readLanguage(.originalLanguage, of: &row)
        rows.read(.subjects, addingFrom: ["Subjects labels"], separator: ",", of: &row)
        rows.readSubjects(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
    }

    package static let columns = FormatColumns(
        [
            .distinctive(.sourceID, "item url"), .common(.dateAdded, "item created"),
            .common(.privateNotes, "item notes"), .distinctive(nil, "edition url"),
            .distinctive(.isbn13, "edition isbn 13"), .distinctive(.isbn10, "edition isbn 10"),
            .distinctive(.title, "edition title"),
            .common(.publisher, "publisher label", "edition publishers", "edition publishers labels"),
            .common(.yearPublished, "edition publication date"),
            .common(.pageCount, "edition number of pages"),
            .common(.language, "edition language", "edition language code", "edition language label"),
            .distinctive(nil, "works urls"), .common(.additionalAuthors, "authors labels", "authors"),
            .common(.contributors, "translators labels", "edition translators labels"),
            .common(.series, "series labels", "series"), .common(.seriesNumber, "works series ordinals"),
            .common(.shelves, "shelves"), .common(.subjects, "genres labels", "subjects labels"),
            .common(.subtitle, "edition subtitle"), .additional(.subjects, "subjects labels"),
            .additional(.title, "works labels"), .common(.originalLanguage, "original language"),
        ],
        unmapped: [
            "item details", "item visibility", "item transaction", "edition cover", "authors urls",
            "translators urls", "series urls", "genres urls", "subjects urls", "publisher urls",
        ])

    package func userTitles(_ header: HeaderNames) -> [Int] {
        [fields(header)[.title], header.names.firstIndex(where: Self.namesWorks)].compactMap(\.self)
    }

    private static func namesWorks(_ name: String) -> Bool { HeaderNames.key(name) == "works labels" }
}

/// Inventaire's table has the owner's copies of books: no ratings, no reviews, and no reading dates.
extension Inventaire {
    static let layout = TableLayout(
        "inventaire", "Inventaire",
        [
            LayoutColumn("Item URL", [.copies]) { _, _ in "" }, .kept("Item details"),
            .text("Item notes", .notes), .kept("Item visibility"),
            .kept("Item transaction"), .date("Item created", .dateAdded, .dashes) { $0[.dateAdded] },
            LayoutColumn("Shelves", [.shelves]) { entry, _ in entry.tags.joined(separator: ",") },
            .kept("Edition URL"), .text("Edition ISBN-13", .isbn),
            LayoutColumn("Edition ISBN-10", []) { entry, _ in LayoutText.isbn10(entry[.isbn]) },
            .text("Edition title", .title), .kept("Edition subtitle"),
            .text("Edition publication date", .publishedDate), .kept("Edition cover"),
            .text("Edition number of pages", .pageCount), .text("Edition language", .language),
            .kept("Works URLs"), LayoutColumn("Works labels", []) { entry, _ in entry[.title] },
            .text("Original language", .originalLanguage),
            LayoutColumn("Works Series ordinals", []) { entry, _ in entry.series.first?.number ?? "" },
            .kept("Authors URLs"),
            LayoutColumn("Authors labels", [.authors]) { entry, _ in entry.authors.joined(separator: ",") },
            LayoutColumn("Translators labels", [.contributors]) { entry, losses in
                // A translator is read back as a person without a role.
                for person in entry.helpers {
                    losses.lose(
                        .contributors, "\(person.name) (\(person.role))",
                        as: person.role == .translator ? person.name : "")
                }
                return entry.helpers.filter { $0.role == .translator }.map(\.name).joined(separator: ",")
            },
            .kept("Translators URLs"), .kept("Series URLs"),
            LayoutColumn("Series labels", [.series]) { entry, losses in
                for series in entry.series.dropFirst() { losses.lose(.series, series.text) }
                return entry.series.first?.name ?? ""
            },
            .kept("Genres URLs"),
            LayoutColumn("Genres labels", [.categories]) { entry, losses in
                entry.subjects(separator: ",", &losses)
            },
            .kept("Subjects URLs"), .kept("Subjects labels"), .kept("Publisher URLs"),
            .text("Publisher label", .publisher),
        ])
}
