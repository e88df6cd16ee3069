package import Books

/// A plain list of ISBNs, one per line, as scanners and note-taking apps make it. It has no header.
package struct PlainISBNs: HeaderlessFormat {
    package let name = "isbn-list"

    package init() {}

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] { [.isbn13: 0] }

    package var described: [DescribedColumn] { [DescribedColumn(names: ["ISBN"], field: .isbn13)] }

    /// The column, if most of the first records are a single cell with an ISBN.
    package func columns(of records: [[String]]) -> [String]? {
        let isbns = records.count { $0.count == 1 && Self.isISBN($0[0]) }
        return isbns * 2 > records.count ? ["ISBN"] : nil
    }

    package let evidence = "Most of its first records are a single ISBN; it has no header."

    private static func isISBN(_ cell: String) -> Bool {
        let characters = cell.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        return characters.withUnsafeBytes { ISBN(normalized: $0) } != nil
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {}
}
