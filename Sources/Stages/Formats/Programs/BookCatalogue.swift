package import Books
import Bytes

/// The export of Book Catalogue, an Android app, and of the apps made from it.
///
/// Authors and series are lists separated by `|`: `Lee, Ana|Ek, Bo` and `Tides (3)|The Sea`. A book is read or
/// not, and on any number of shelves. Older versions have only the first author, in two columns.
package struct BookCatalogue: TabularFormat {
    package let name = "book-catalogue"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        for field in [LibraryField.title, .publisher, .privateNotes] { unescape(field, of: &row, in: &rows) }
        rows.readTitle(of: &row)
        readSeries(of: &row, in: &rows)
        row.people = rows.people.count..<rows.people.count
        let authors = rows.cell(.authorLastFirst, of: row)
        if authors.isEmpty {
            rows.readPeople(of: &row)
        } else {
            rows.readNames(authors, in: .authorLastFirst, separator: UInt8(ascii: "|"), of: &row)
        }
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readSubjects(of: &row)
        readShelf(of: &row, in: &rows)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.readKind(of: &row)
    }

    /// Line ends, tabs and backslashes in texts are written as `\n`, `\r`, `\t` and `\\`.
    private func unescape(_ field: LibraryField, of row: inout LibraryRow, in rows: inout LibraryRows) {
        let cell = rows.cell(field, of: row)
        let escape = UInt8(ascii: "\\")
        guard rows.arena.withBytes(cell, { $0.contains(escape) }) else { return }
        var bytes: [UInt8] = []
        var rest = rows.arena.bytes(cell)[...]
        while let byte = rest.popFirst() {
            let escaped: UInt8? =
                switch rest.first {
                case UInt8(ascii: "n") where byte == escape: UInt8(ascii: "\n")
                case UInt8(ascii: "r") where byte == escape: UInt8(ascii: "\r")
                case UInt8(ascii: "t") where byte == escape: UInt8(ascii: "\t")
                case escape where byte == escape: escape
                default: nil
                }
            if escaped != nil { rest.removeFirst() }
            bytes.append(escaped ?? byte)
        }
        rows.read(field, as: rows.arena.append(bytes), of: &row)
    }

    /// `Tides (3)|The Sea`. Brackets with a word, as in `Tides (Omnibus)`, belong to the name.
    private func readSeries(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let cell = rows.cell(.series, of: row)
        guard !cell.isEmpty else { return }
        if row.series.isEmpty { row.series = rows.series.count..<rows.series.count }
        for part in rows.arena[cell].split(separator: "|") {
            let open = part.last == ")" ? part.lastIndex(of: "(") : nil
            let place = open.flatMap { Self.place(part[part.index(after: $0)...].dropLast()) }
            let name = rows.arena.collapsingBlanks(
                rows.arena.append(String(place == nil ? part : part[..<(open ?? part.endIndex)])))
            guard !name.isEmpty else { continue }
            rows.series.append(SeriesMention(name: name, number: rows.arena.append(place ?? [])))
        }
        row.series = row.series.lowerBound..<rows.series.count
    }

    /// The number in brackets, which can follow a word: `3`, `#3`, `Book 3`; nil for any other text.
    private static func place(_ text: Substring) -> [UInt8]? {
        let start = text.first == "." ? text.startIndex : text.firstIndex(where: \.isNumber) ?? text.endIndex
        let number = Array(text[start...].utf8)
        let isNumber = number.withUnsafeBytes { SeriesNumber.isWritten(in: $0, 0..<$0.count) }
        return isNumber && words.contains(Folding.fold(text[..<start])) ? SeriesNumber.plain(number) : nil
    }

    private static let words: Set<String> = [
        "", "band", "bk", "book", "no", "nr", "part", "tome", "vol", "volume",
    ]

    /// The column `read` is 1 or 0.
    private func readShelf(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let cell = rows.arena.trimmed(rows.cell(.exclusiveShelf, of: row))
        let isRead = rows.arena.withBytes(cell) {
            ["1", "true", "yes"].contains(String(decoding: $0, as: UTF8.self).lowercased())
        }
        let status: ReadingStatus? =
            if isRead || !rows.cell(.dateRead, of: row).isEmpty {
                .read
            } else if !rows.cell(.dateStarted, of: row).isEmpty { .reading } else { nil }
        rows.read(.exclusiveShelf, as: status.map { rows.arena.append($0.rawValue) } ?? .none, of: &row)
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .distinctive(.authorLastFirst, "author details"),
            .common(.author, "author"),
            .common(.isbn13, "isbn"), .common(.publisher, "publisher"),
            .common(.yearPublished, "date published"),
            .common(.rating, "rating"), .distinctive(nil, "bookshelf id"), .common(.shelves, "bookshelf"),
            .common(.exclusiveShelf, "read"), .distinctive(.series, "series details"),
            .common(.seriesNumber, "series num"), .common(.pageCount, "pages"),
            .common(.privateNotes, "notes"),
            .distinctive(nil, "anthology"), .distinctive(.dateStarted, "read start"),
            .distinctive(.dateRead, "read end"),
            .common(.binding, "format"), .distinctive(nil, "signed"), .distinctive(nil, "loaned to"),
            .common(.subjects, "genre"), .common(.language, "language"), .common(.dateAdded, "date added"),
            .common(.location, "location"), .common(.lentTo, "loaned to"), .common(.price, "list price"),
            .common(.goodreadsBook, "goodreads book id"), .common(.sourceID, "book uuid", "id"),
        ],
        unmapped: [
            "anthology titles", "description", "last goodreads sync date",
            "last update date",
        ])
}
