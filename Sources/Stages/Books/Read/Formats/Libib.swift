import Bytes

/// Libib's export. A library may hold films, music and games in addition to books.
package struct Libib: TabularFormat {
    package let name = "libib"

    package init() {}

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
        ],
        unmapped: [
            "first name", "last name", "description", "group", "price", "call number", "ddc", "lcc",
            "lexile",
        ])
}
