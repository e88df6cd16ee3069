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
