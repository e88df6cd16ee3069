package import Books

/// The subject of `etl explain`.
package enum BookReference: Sendable, Hashable {
    /// A valid ISBN, and how the given text was repaired if it was damaged.
    case isbn(ISBN, ISBNRepair?)
    /// A text that looks like an ISBN but is not valid and cannot be repaired.
    case impossibleISBN(String, ISBNFault)
    /// A record of a job: its number as a spreadsheet shows it, and the number of its file, from 1, if given.
    case row(Int, file: Int?)
    /// An entry, by the id of the program it was exported from: Goodreads' Book Id.
    case sourceID(String)
    /// A public key, or a record of Open Library: `OL45804W`.
    case key(String)

    /// Reads `9780441013593`, `0-441-01359-7`, `row:14`, `row:2:14` (of the second file), `id:5907`, or a key.
    package init(_ text: String) {
        if let row = Self.row(text) {
            self = row
            return
        }
        if text.hasPrefix("id:") {
            self = .sourceID(String(text.dropFirst(3)))
            return
        }
        guard !Self.hasKeyPrefix(text) else {
            self = .key(text)
            return
        }
        switch ISBNReader.read(text) {
        case .valid(let isbn): self = .isbn(isbn, nil)
        case .repaired(let isbn, let repair): self = .isbn(isbn, repair)
        case .impossible(let fault) where Self.looksLikeISBN(text): self = .impossibleISBN(text, fault)
        case .impossible, .absent: self = .key(text)
        }
    }

    private static func row(_ text: String) -> BookReference? {
        let parts = text.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.first == "row", parts.count == 2 || parts.count == 3 else { return nil }
        let numbers = parts.dropFirst().map { Int($0) ?? 0 }
        guard numbers.allSatisfy({ $0 > 0 }), let row = numbers.last else { return nil }
        return .row(row, file: numbers.count == 2 ? numbers[0] : nil)
    }

    /// Advice for a text that begins like a reference to a record but is not valid; nil for any other text.
    static func adviceOnRows(_ text: String) -> String? {
        guard text.lowercased().hasPrefix("row:"), row(text) == nil else { return nil }
        return
            "Write row:N, or row:FILE:N for one of several files. Rows are counted from 1; the header is row 1."
    }

    private static func hasKeyPrefix(_ text: String) -> Bool {
        ["isbn:", "ol:", "title:", "name:"].contains { text.hasPrefix($0) }
    }

    /// Whether a text has only digits, an X and separators, and enough digits.
    private static func looksLikeISBN(_ text: String) -> Bool {
        let digits = text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits >= 8 && text.allSatisfy { $0.isNumber || $0.isWhitespace || "-–.xX".contains($0) }
    }
}
