/// A plain list of ISBNs, one a line and nothing else: what scanners and note-takers make. It has no header.
package struct PlainISBNs: HeaderlessFormat {
    package let name = "isbn-list"

    package init() {}

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { [.isbn13: 0] }

    /// A list where most of the first records are one cell that is an ISBN.
    package func columns(of records: [[String]]) -> [String]? {
        let isbns = records.count { $0.count == 1 && Self.isISBN($0[0]) }
        return isbns * 2 > records.count ? ["ISBN"] : nil
    }

    package let evidence = "Most of its first records are one ISBN and nothing else; it has no header."

    private static func isISBN(_ cell: String) -> Bool {
        let characters = cell.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        return characters.withUnsafeBytes { ISBN(normalized: $0) } != nil
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {}
}
