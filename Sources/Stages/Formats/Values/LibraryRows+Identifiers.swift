import Books
import Bytes

/// Identifiers that calibre lists in one cell, each after its kind: `amazon:B000FC1PWA, goodreads:234225`.
extension LibraryRows {
    /// The fields of calibre's kinds. A kind can have a country, as in `amazon_de`. Kinds whose numbers are not
    /// always those of an edition are left out.
    private static let identifierKinds: [(kind: StaticString, field: LibraryField)] = [
        ("isbn", .isbn13), ("isbn13", .isbn13), ("isbn10", .isbn10), ("ean", .isbn13),
        ("goodreads", .goodreadsBook), ("amazon", .asin), ("mobi-asin", .asin), ("oclc", .oclcNumber),
        ("lccn", .lccn),
    ]

    /// Reads the list into the fields of its identifiers. The first one of a kind is used.
    mutating func readIdentifiers(_ list: Text, of row: inout LibraryRow) {
        var left = list
        while !left.isEmpty {
            let item = arena.trimmed(arena.cut(at: UInt8(ascii: ","), from: &left))
            guard
                let colon = arena.withBytes(item, { $0.firstIndex(of: UInt8(ascii: ":")) }),
                let field = arena.withBytes(item.part(0..<colon), Self.field(ofKind:)),
                cell(field, of: row).isEmpty
            else { continue }
            read(field, as: item.part(colon + 1..<Int(item.length)), of: &row)
        }
    }

    private static func field(ofKind bytes: UnsafeRawBufferPointer) -> LibraryField? {
        let kind = UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != UInt8(ascii: "_") })
        return identifierKinds.first { pair in
            pair.kind.withUTF8Buffer { kind.elementsEqual($0) }
        }?.field
    }
}
