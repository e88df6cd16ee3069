import Bytes

/// An Open Library key: `/works/OL45804W` is work 45804. The number is the integer key of the catalog's
/// tables.
package struct OpenLibraryKey: Sendable, Hashable {
    /// The kind of record. Raw values are stored while a catalog is built.
    package enum Kind: UInt8, Sendable, Hashable {
        case edition = 1
        case work, author

        var letter: UInt8 {
            switch self {
            case .edition: UInt8(ascii: "M")
            case .work: UInt8(ascii: "W")
            case .author: UInt8(ascii: "A")
            }
        }
    }

    package let kind: Kind
    package let number: Int64

    package init(_ kind: Kind, _ number: Int64) {
        self.kind = kind
        self.number = number
    }

    /// Parses `OL45804W`, with or without a current (`/works/`) or old (`/b/`, `/a/`) path before it. The
    /// final letter gives the kind. Numbers have 1 to 15 digits and are not 0.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        let end = bytes.count - 1
        var start = bytes.count
        while start > 0, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
        guard end - start >= 3, end - start <= 17, bytes[start] == UInt8(ascii: "O"),
            bytes[start + 1] == UInt8(ascii: "L")
        else { return nil }
        switch bytes[end] {
        case UInt8(ascii: "M"): kind = .edition
        case UInt8(ascii: "W"): kind = .work
        case UInt8(ascii: "A"): kind = .author
        default: return nil
        }
        var number: Int64 = 0
        for index in start + 2..<end {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int64(digit)
        }
        guard number > 0 else { return nil }
        self.number = number
    }

    /// Parses a key from text in the same way.
    package init?(_ string: String) {
        guard let key = Array(string.utf8).withUnsafeBytes({ Self($0) }) else { return nil }
        self = key
    }

    /// The key without its path: `OL45804W`.
    package var name: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the key without its path.
    package func append(to bytes: inout [UInt8]) {
        bytes.append("OL")
        bytes.append(digitsOf: number)
        bytes.append(kind.letter)
    }
}
