/// Inventaire's export of an inventory: an item of an edition of a work, each with its URL.
package struct Inventaire: TabularFormat {
    package let name = "inventaire"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readSeriesColumn(of: &row)
        rows.readPeople(of: &row)
        rows.readLanguage(of: &row)
        rows.checkDates([.dateAdded], of: &row)
    }

    package static let columns = ProfileColumns([
        .telling(.sourceID, "item url"), .usual(.dateAdded, "item created"),
        .usual(.privateNotes, "item notes"), .telling(nil, "edition url"),
        .telling(.isbn13, "edition isbn 13"), .telling(.isbn10, "edition isbn 10"),
        .telling(.title, "edition title"),
        .usual(.publisher, "edition publishers", "edition publishers labels"),
        .usual(.yearPublished, "edition publication date"), .usual(.pageCount, "edition number of pages"),
        .usual(.language, "edition language code", "edition lang", "edition language label"),
        .telling(nil, "works urls"), .usual(.additionalAuthors, "authors labels", "authors"),
        .usual(.contributors, "translators labels", "edition translators labels"),
        .usual(.series, "series labels", "series"), .usual(.seriesNumber, "works series ordinals"),
        .usual(.shelves, "shelves"),
    ])
}
