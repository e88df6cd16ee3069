package import Books
import Bytes

/// Open Library's reading log.
///
/// Early logs hold only keys of works and editions. Their records are looked up by these keys. If no catalog
/// knows them, they are stored with the keys.
package struct ReadingLog: TabularFormat {
    package let name = "openlibrary"

    package init() {}

    /// A log that holds only keys has no title or ISBN column.
    package var identifying: [LibraryField] { ColumnMap.identifying + [.sourceID] }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        let key = rows.cell(.sourceID, of: row)
        if rows.arena.withBytes(key, { Self.isWork($0) }) { rows.read(.openLibraryWork, as: key, of: &row) }
        rows.readPeople(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
    }

    /// Whether a cell is a work key such as `OL45804W`.
    private static func isWork(_ cell: UnsafeRawBufferPointer) -> Bool {
        cell.count > 3 && cell.starts(with: "OL".utf8) && cell.last == UInt8(ascii: "W")
            && cell.dropFirst(2).dropLast().allSatisfy { (0x30...0x39).contains($0) }
    }

    package static let columns = FormatColumns([
        .distinctive(.sourceID, "work id"), .distinctive(.openLibraryEdition, "edition id"),
        .distinctive(.exclusiveShelf, "bookshelf"),
        .common(.title, "title"), .common(.additionalAuthors, "authors", "author"),
        .common(.originalYear, "first publish year"), .common(.isbn13, "isbn13", "isbn 13", "isbn"),
        .common(.isbn10, "isbn10", "isbn 10"), .common(.rating, "my ratings", "my rating", "rating"),
        .common(.averageRating, "average rating", "ratings average"),
        .common(.dateAdded, "date added", "created", "logged date"), .common(.review, "review"),
    ])
}

/// The log has the keys of works and editions, one of three shelves, and a rating. The first three columns are those of
/// early logs; the others let readers and other programs recognize books without a key.
extension ReadingLog {
    static let layout = TableLayout(
        "openlibrary", "Open Library",
        [
            .text("Work Id", .openLibraryWork), .text("Edition Id", .openLibraryEdition),
            LayoutColumn("Bookshelf", [.shelf]) { entry, losses in
                switch entry.status {
                case .read: return "Already Read"
                case .reading: return "Currently Reading"
                case .toRead: return "Want to Read"
                case .notFinished, .paused, nil:
                    losses.lose(.shelf, entry[.shelf])
                    return ""
                }
            },
            .text("Title", .title),
            LayoutColumn("Authors", [.authors]) { entry, losses in
                entry.allNames(&losses).joined(separator: ", ")
            },
            .text("First Publish Year", .firstPublicationYear), .text("ISBN 13", .isbn),
            LayoutColumn("My Ratings", [.rating]) { entry, losses in
                entry.rating(steps: 1, &losses).map(LibraryEntry.spelled) ?? ""
            },
            .text("Ratings Average", .averageRating),
            .date("Date Added", .dateAdded, .dashes) { $0[.dateAdded] }, .text("Review", .review),
        ])
}
