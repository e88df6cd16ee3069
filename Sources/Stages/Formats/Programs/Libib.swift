package import Books
import Bytes

/// Libib's export. A library may hold films, music and games in addition to books.
package struct Libib: TabularFormat {
    package let name = "libib"

    package init() {}

    package var namesStatuses: Bool { true }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readPeople(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        let published = rows.cell(.yearPublished, of: row)
        if rows.arena.withBytes(published, { $0.starts(with: "0000".utf8) }) {
            rows.read(.yearPublished, as: .none, of: &row)
        }
        rows.checkDatesAndCounts(of: &row)
        let type = rows.cell(.binding, of: row)
        if !type.isEmpty, rows.arena.withBytes(type, { !Self.isBook($0) }) { row.refusal = .notABook }
    }

    private static func isBook(_ bytes: UnsafeRawBufferPointer) -> Bool {
        String(decoding: bytes[bytes.trimmedBlanks], as: UTF8.self).lowercased().hasPrefix("book")
    }

    package static let columns = FormatColumns(
        [
            .distinctive(.binding, "item type"), .common(.title, "title"),
            .distinctive(.additionalAuthors, "creators"),
            .distinctive(.isbn13, "ean isbn13"), .distinctive(.isbn10, "upc isbn10"),
            .common(.publisher, "publisher"),
            .common(.yearPublished, "publish date"), .common(.shelves, "tags"),
            .common(.privateNotes, "notes"),
            .common(.pageCount, "length"), .distinctive(nil, "number of discs"), .common(.rating, "rating"),
            .common(.review, "review"), .common(.exclusiveShelf, "status"), .common(.dateStarted, "began"),
            .common(.dateRead, "completed"), .common(.dateAdded, "added"), .common(.ownedCopies, "copies"),
            .common(.price, "price"),
        ],
        unmapped: [
            "first name", "last name", "description", "group", "call number", "ddc", "lcc",
            "lexile",
        ])
}

/// Libib knows half stars and one reading, and no format of a book. Only authors are creators.
extension Libib {
    static let layout = TableLayout(
        "libib", "Libib",
        [
            LayoutColumn("item_type", []) { _, _ in "book" }, .text("title", .title),
            LayoutColumn("creators", [.authors]) { entry, losses in
                entry.commaSeparatedAuthors(&losses)
            },
            LayoutColumn("first_name", []) { entry, _ in
                LayoutText.familyFirst(entry.authors.first ?? "").given
            },
            LayoutColumn("last_name", []) { entry, _ in
                LayoutText.familyFirst(entry.authors.first ?? "").family
            },
            .text("ean_isbn13", .isbn),
            LayoutColumn("upc_isbn10", []) { entry, _ in LayoutText.isbn10(entry[.isbn]) },
            .kept("description"), .text("publisher", .publisher), .text("publish_date", .publishedDate),
            .kept("group"),
            LayoutColumn("tags", [.shelves]) { entry, _ in
                entry.tagsWithOwnShelf.joined(separator: ", ")
            },
            .text("notes", .notes), .text("price", .price), .text("length", .pageCount),
            .kept("number_of_discs"),
            LayoutColumn("rating", [.rating]) { entry, losses in
                entry.rating(steps: 2, &losses).map(LibraryEntry.spelled) ?? ""
            },
            .text("review", .review),
            LayoutColumn("status", [.shelf]) { entry, losses in
                entry.statusOrTag(statusName, paused: "In progress", &losses)
            },
            .date("began", .dateStarted, .dashes) { $0.readings.last?.started ?? "" },
            .date("completed", .dateRead, .dashes) { $0.lastFinished },
            .date("added", .dateAdded, .dashes) { $0[.dateAdded] },
            LayoutColumn("copies", [.ownedCopies, .copies]) { entry, _ in entry[.ownedCopies] },
        ])

    private static func statusName(_ status: ReadingStatus) -> String {
        switch status {
        case .read: "Completed"
        case .reading, .paused: "In progress"
        case .toRead: "Not begun"
        case .notFinished: "Abandoned"
        }
    }
}
