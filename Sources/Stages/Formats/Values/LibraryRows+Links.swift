import Books
import Bytes

/// Texts with links behind them, as Notion exports relations between its pages: `R. F. Kuang
/// (https://www.notion.so/R-F-Kuang-0a1b)`, `Frank Herbert (../Authors/Frank%20Herbert%20123.md)`.
extension LibraryRows {
    private static let linkedFields: [LibraryField] = [
        .title, .author, .additionalAuthors, .authorLastFirst, .publisher, .series, .subjects, .shelves,
        .exclusiveShelf,
    ]

    /// Reads the texts of a row without the links behind them.
    mutating func readLinks(of row: inout LibraryRow) {
        // Few rows have any, and cells are looked up by field.
        var mayHaveLinks = false
        for index in row.cells where cells[index].length > 4 {
            if arena.withBytes(cells[index], { LinkedText.mayHaveLink($0) }) { mayHaveLinks = true }
        }
        guard mayHaveLinks else { return }
        for field in Self.linkedFields {
            let cell = cell(field, of: row)
            guard cell.length > 4, arena.withBytes(cell, { LinkedText.mayHaveLink($0) }),
                let plain = LinkedText.plain(arena[cell])
            else { continue }
            read(field, as: arena.append(plain), of: &row)
        }
    }
}

/// A text with links in brackets.
enum LinkedText {
    /// Whether a bracket closes at the end of an address or of the name of a file, as far as a quick look shows.
    static func mayHaveLink(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isOpen = false
        for byte in bytes {
            if byte == UInt8(ascii: "(") { isOpen = true }
            if isOpen, byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") { return true }
        }
        return false
    }

    /// The text without links; nil if it has none.
    static func plain(_ text: String) -> String? {
        var plain = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
            if isLink(rest[rest.index(after: open)..<close]) {
                var before = rest[..<open]
                while before.last?.isWhitespace == true { before.removeLast() }
                plain += before
            } else {
                plain += rest[...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        plain += rest
        return plain == text ? nil : plain
    }

    private static func isLink(_ text: Substring) -> Bool {
        guard !text.contains(where: \.isWhitespace) else { return false }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        return ["https://", "http://", "notion://"].contains { text.hasPrefix($0) }
            || [".md", ".html", ".csv"].contains { path.hasSuffix($0) }
    }
}
