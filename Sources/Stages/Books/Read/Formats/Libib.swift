import Bytes

/// Libib's export. A library there may hold films, music and games beside the books.
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

    package static let columns = ProfileColumns([
        .telling(.binding, "item type"), .usual(.title, "title"), .telling(.additionalAuthors, "creators"),
        .telling(.isbn13, "ean isbn13"), .telling(.isbn10, "upc isbn10"), .usual(.publisher, "publisher"),
        .usual(.yearPublished, "publish date"), .usual(.shelves, "tags"), .usual(.privateNotes, "notes"),
        .usual(.pageCount, "length"), .telling(nil, "number of discs"), .usual(.rating, "rating"),
        .usual(.review, "review"), .usual(.exclusiveShelf, "status"), .usual(.dateStarted, "began"),
        .usual(.dateRead, "completed"), .usual(.dateAdded, "added"), .usual(.ownedCopies, "copies"),
    ])
}
