import Syntax

/// The ISBNs of an Open Library edition, each once: of its own two lists, and of its identifiers, where answers of
/// `/api/books` have them (providers.md 1.3).
struct DumpISBNs {
    /// ISBNs taken of one edition. Real ones have a handful, and works of many volumes some dozens; each of them takes
    /// the whole edition along, so that thousands would make gigabytes of one line.
    static let limit = 64

    private(set) var valid: [ISBN] = []
    /// ISBNs beyond the first ``limit``.
    private(set) var surplus = 0
    /// Texts that are no ISBN.
    private(set) var wrong = 0
    private var digits: [UInt8] = []

    mutating func removeAll() {
        valid.removeAll(keepingCapacity: true)
        (wrong, surplus) = (0, 0)
    }

    /// Reads a member of a record, if it is one that holds ISBNs; else leaves it.
    mutating func take(_ name: JSONString, _ reader: inout JSONReader) throws(JSONReadError) {
        switch name {
        case "isbn_13", "isbn_10":
            try reader.forEachString { string throws(JSONReadError) in self.take(string) }
        default: break
        }
    }

    private mutating func take(_ string: JSONString) {
        digits.removeAll(keepingCapacity: true)
        string.append(to: &digits)
        // Hyphens and blanks part an ISBN's elements, the typographic ones too; what else it holds makes it
        // none.
        digits.removeAll { $0 == UInt8(ascii: "-") || $0 <= 0x20 || $0 >= 0x80 }
        guard !digits.isEmpty else { return }
        guard let isbn = digits.withUnsafeBytes({ ISBN(normalized: $0) }) else {
            wrong += 1
            return
        }
        guard !valid.contains(isbn) else { return }
        if valid.count < Self.limit { valid.append(isbn) } else { surplus += 1 }
    }

    /// Puts the valid ones in the order of their numbers.
    mutating func sort() { valid.sort() }
}
