package import Books
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
        let authors = rows.cell(.additionalAuthors, of: row)
        if rows.arena[authors] != CalibreBooks.unknownAuthor {
            rows.readNames(authors, in: .additionalAuthors, separator: UInt8(ascii: "&"), of: &row)
        }
        // calibre lists files, so each of them is an e-book.
        if !rows.cell(.binding, of: row).isEmpty { row.format = .ebook }
        let published = rows.cell(.yearPublished, of: row)
        if !published.isEmpty {
            let day = published.part(0..<min(10, Int(published.length)))
            rows.read(.yearPublished, as: Self.isUndefined(published, in: rows) ? .none : day, of: &row)
        }
        if Self.isUndefined(rows.cell(.dateAdded, of: row), in: rows) {
            rows.read(.dateAdded, as: .none, of: &row)
        }
        rows.readIdentifiers(rows.cell(named: ["identifiers", "Identifiers"], of: row), of: &row)
        rows.readLanguage(of: &row)
        rows.readCalibreCustomFields(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.readKind(of: &row)
    }

    /// calibre has the year 101 where a date is not known.
    private static func isUndefined(_ date: Text, in rows: LibraryRows) -> Bool {
        rows.arena.withBytes(date) { $0.starts(with: "0101-".utf8) }
    }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        CalibreCustomFields.fields(header, after: Self.columns.fields(header))
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

/// calibre's catalog has the books and their files, and nothing about readings. Everybody is an author.
extension Calibre {
    static let layout = TableLayout(
        "calibre", "calibre",
        [
            LayoutColumn("authors", [.authors]) { entry, losses in
                entry.allNames(&losses).joined(separator: " & ")
            },
            LayoutColumn("author_sort", []) { entry, _ in
                entry.people.map { LayoutText.inverted($0.name) }.joined(separator: " & ")
            },
            LayoutColumn("rating", [.rating]) { entry, losses in
                entry.rating(steps: 2, &losses).map(LibraryEntry.spelled) ?? ""
            },
            .kept("library_name"), .date("timestamp", .dateAdded, .dashes) { $0[.dateAdded] },
            LayoutColumn("formats", [.format]) { entry, losses in
                // They are those of calibre's own files.
                losses.lose(.format, entry.format?.contractName ?? "")
                return ""
            },
            .kept("size"), .text("isbn", .isbn),
            LayoutColumn("identifiers", [.goodreadsBook]) { entry, _ in
                [("goodreads", entry[.goodreadsBook]), ("isbn", entry[.isbn])].filter { !$0.1.isEmpty }
                    .map { "\($0.0):\($0.1)" }.joined(separator: ",")
            },
            .kept("comments"),
            LayoutColumn("tags", [.shelves]) { entry, _ in entry.tags.joined(separator: ", ") },
            LayoutColumn("series", [.series]) { entry, losses in
                for series in entry.series.dropFirst() { losses.lose(.series, series.text) }
                return entry.series.first?.name ?? ""
            },
            LayoutColumn("series_index", []) { entry, _ in entry.series.first?.number ?? "" },
            .text("languages", .language), .text("title", .title), .kept("cover"),
            LayoutColumn("title_sort", []) { entry, _ in entry[.title] }, .text("publisher", .publisher),
            .text("pubdate", .publishedDate), .kept("id"), LayoutColumn("uuid", [.copies]) { _, _ in "" },
        ])
}
