package import Books
import Bytes
import Syntax

/// BookWyrm's export.
///
/// A shelf is either one of four reading statuses or one of the user's own.
package struct BookWyrm: TabularFormat {
    package let name = "bookwyrm"

    package init() {}

    package var namesStatuses: Bool { true }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readPeople(of: &row)
        readShelves(of: &row, in: &rows)
        rows.read(.dateRead, orFrom: ["stopped_date"], of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.readKind(of: &row)
    }

    /// The name of a status shelf is not a shelf of the user's own.
    private func readShelves(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let status = rows.arena.withBytes(rows.cell(.exclusiveShelf, of: row)) { ReadingStatus($0) }
        guard let status else {
            rows.read(.exclusiveShelf, as: .none, of: &row)
            return
        }
        rows.readShelf(of: &row)
        if rows.arena.withBytes(rows.cell(.shelves, of: row), { ReadingStatus($0) }) == status {
            rows.read(.shelves, as: .none, of: &row)
        }
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .distinctive(.additionalAuthors, "author text"),
            .distinctive(.sourceID, "remote id"),
            .distinctive(.openLibraryEdition, "openlibrary key"), .distinctive(nil, "inventaire id"),
            .distinctive(.libraryThingWork, "librarything key"), .common(.goodreadsBook, "goodreads key"),
            .common(.asin, "asin"), .common(.oclcNumber, "oclc number"),
            .common(.isbn10, "isbn 10"), .common(.isbn13, "isbn 13"), .common(.dateStarted, "start date"),
            .common(.dateRead, "finish date"), .common(.rating, "rating"), .distinctive(nil, "review cw"),
            .distinctive(.review, "review content"), .common(.exclusiveShelf, "shelf"),
            .distinctive(.shelves, "shelf name"),
            .distinctive(.dateAdded, "shelf date"), .second(.dateRead, "stopped date"),
        ],
        unmapped: [
            "review name", "review published", "bnf id", "viaf", "wikidata", "aasin", "isfdb",
        ])
}

/// BookWyrm's table has the books' identifiers and the user's own data; everything else about a book is in
/// BookWyrm's catalog. A book is on one shelf.
extension BookWyrm {
    static let layout = TableLayout(
        "bookwyrm", "BookWyrm", lineEnd: .crlf,
        [
            .text("title", .title),
            LayoutColumn("author_text", [.authors]) { entry, _ in entry.authors.joined(separator: ", ") },
            .kept("remote_id"), .text("openlibrary_key", .openLibraryEdition), .kept("inventaire_id"),
            .text("librarything_key", .libraryThingWork), .text("goodreads_key", .goodreadsBook),
            .kept("bnf_id"),
            .kept("viaf"), .kept("wikidata"), .text("asin", .asin), .kept("aasin"), .kept("isfdb"),
            LayoutColumn("isbn_10", []) { entry, _ in LayoutText.isbn10(entry[.isbn]) },
            .text("isbn_13", .isbn), .text("oclc_number", .oclcNumber),
            .date("start_date", .dateStarted, .dashes) { $0.readings.last?.started ?? "" },
            LayoutColumn("finish_date", [.dateRead]) { entry, losses in
                entry.status == .notFinished ? "" : day(entry.lastFinished, &losses)
            }.together(with: "shelf"),
            LayoutColumn("stopped_date", []) { entry, losses in
                entry.status == .notFinished ? day(entry.lastFinished, &losses) : ""
            }.together(with: "shelf"),
            LayoutColumn("rating", [.rating]) { entry, losses in
                guard let rating = entry.rating else { return "" }
                let allowed = max(0.5, rating)
                losses.lose(.rating, LibraryEntry.spelled(rating), as: LibraryEntry.spelled(allowed))
                return LibraryEntry.spelled(allowed)
            },
            .kept("review_name"), .kept("review_cw"), .text("review_content", .review),
            .kept("review_published"),
            LayoutColumn("shelf", [.shelf, .shelves]) { entry, losses in
                let shelf = shelf(of: entry)
                for tag in entry.tags where tag != shelf.name { losses.lose(.shelves, tag) }
                if entry.status == .paused || entry.status == nil {
                    losses.lose(.shelf, entry[.shelf], as: "shelf \(shelf.name)")
                }
                return shelf.identifier
            },
            LayoutColumn("shelf_name", []) { entry, _ in shelf(of: entry).name },
            .date("shelf_date", .dateAdded, .dashes) { $0[.dateAdded] },
        ])

    private static func day(_ date: String, _ losses: inout EntryLosses) -> String {
        let written = LayoutDate.dashes.text(date)
        losses.lose(.dateRead, date, as: written)
        return written
    }

    /// The reading status, else the user's first shelf.
    private static func shelf(of entry: LibraryEntry) -> (identifier: String, name: String) {
        switch entry.status {
        case .read: return ("read", "Read")
        case .reading: return ("reading", "Currently Reading")
        case .toRead: return ("to-read", "To Read")
        case .notFinished, .paused: return ("stopped-reading", "Stopped Reading")
        case nil:
            let name = entry[.shelf].isEmpty ? entry.tags.first ?? "" : entry[.shelf]
            return (name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-"), name)
        }
    }
}
