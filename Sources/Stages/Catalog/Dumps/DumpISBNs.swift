/// The ISBNs of an Open Library edition, each once: of its own two lists, and of its identifiers, where answers of
/// `/api/books` have them (providers.md 1.3).
struct DumpISBNs {
    private(set) var valid: [ISBN] = []
    /// Texts that are no ISBN.
    private(set) var wrong = 0
    private var digits: [UInt8] = []

    mutating func removeAll() {
        valid.removeAll(keepingCapacity: true)
        wrong = 0
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
        if !valid.contains(isbn) { valid.append(isbn) }
    }

    /// Puts the valid ones in the order of their numbers.
    mutating func sort() { valid.sort() }
}
