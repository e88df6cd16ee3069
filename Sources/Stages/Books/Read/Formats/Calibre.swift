import Bytes

/// The catalog that calibre writes as CSV.
///
/// Authors are separated by ` & `, a series number is written `8.0`, and an unknown date has the year 101.
package struct Calibre: TabularFormat {
    package let name = "calibre"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readWholeNumber(.seriesNumber, of: &row)
        rows.readSeriesColumn(of: &row)
        rows.readNames(
            rows.cell(.additionalAuthors, of: row), in: .additionalAuthors, separator: UInt8(ascii: "&"),
            of: &row)
        // calibre lists files, so each of them is an e-book.
        if !rows.cell(.binding, of: row).isEmpty { row.format = .ebook }
        let published = rows.cell(.yearPublished, of: row)
        if !published.isEmpty {
            let isUnknown = rows.arena.withBytes(published) { $0.starts(with: "0101-".utf8) }
            let day = published.part(0..<min(10, Int(published.length)))
            rows.read(.yearPublished, as: isUnknown ? .none : day, of: &row)
        }
        rows.readIdentifiers(rows.cell(named: ["identifiers", "Identifiers"], of: row), of: &row)
        rows.readLanguage(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.setAsideNonBooks(&row)
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .common(.additionalAuthors, "authors"),
            .distinctive(nil, "author sort"),
            .common(.rating, "rating"), .distinctive(nil, "library name"),
            .distinctive(.dateAdded, "timestamp"),
            .distinctive(.binding, "formats"), .common(.isbn13, "isbn"), .distinctive(nil, "identifiers"),
            .additional(.goodreadsBook, "identifiers"),
            .common(.shelves, "tags"), .common(.series, "series"),
            .distinctive(.seriesNumber, "series index"),
            .common(.language, "languages"), .distinctive(nil, "title sort"),
            .common(.publisher, "publisher"),
            .distinctive(.yearPublished, "pubdate"), .common(.sourceID, "uuid"),
        ],
        unmapped: [
            "comments", "cover", "size", "author link map", "id",
        ])
}
