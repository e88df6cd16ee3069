import Books
import Bytes

/// What a text in a request must be. The server holds requests against it, and OpenAPI describes it.
package enum TextRule: Sendable, Hashable, CaseIterable {
    case isbn
    /// Words to search for.
    case words
    /// The same, or nothing.
    case anyWords
    /// Text of any kind. No text of a request has a zero byte.
    case text
    /// `Idempotency-Key`, in the head of a request or its body.
    case key
    /// The name of a job or of an upload.
    case job
    /// The name of a library; empty for the usual one.
    case library

    /// Number of characters, as Unicode counts them.
    package var length: ClosedRange<Int> {
        switch self {
        case .isbn: 10...17
        case .words: 1...500
        case .anyWords: 0...500
        case .text: 0...1_000
        case .key: 1...255
        case .job: 1...64
        case .library: 0...64
        }
    }

    /// What the text must contain, as a regular expression of JSON Schema; nil if a ``format`` says it.
    package var pattern: String? {
        switch self {
        case .isbn, .words, .anyWords: nil
        case .text: #"^[^\x00]*$"#
        case .key, .library: #"^[^\x00-\x1F\x7F]*$"#
        case .job: #"^[A-Za-z0-9][A-Za-z0-9._\-]*$"#
        }
    }

    /// What no pattern can say: digits of which the last fits the others, and letters of any script, for which regular
    /// expressions have no common notation.
    package var format: String? {
        switch self {
        case .isbn: "isbn"
        case .words: "search-words"
        case .anyWords: "optional-search-words"
        case .text, .key, .job, .library: nil
        }
    }

    /// What is missing, as a sentence.
    package var requirement: String {
        switch self {
        case .isbn: "An ISBN has 10 or 13 digits, the last of which fits the others."
        case .words, .anyWords:
            "A search needs letters or digits, at least two characters, and has at most \(length.upperBound)."
        case .text: "A text has at most \(length.upperBound) characters, and no zero byte."
        case .key: "A key has 1 to \(length.upperBound) characters, and no control characters."
        case .job: "A name has up to \(length.upperBound) letters, digits, dots, hyphens and underscores."
        case .library:
            "A library's name has up to \(length.upperBound) characters, none of which ends a line."
        }
    }

    package func accepts(_ text: String) -> Bool {
        // Notation is not damage: people write an ISBN in more ways than are described.
        if self == .isbn { return ISBNReader.read(text).isbn != nil }
        guard length.contains(text.unicodeScalars.count), !text.utf8.contains(0) else { return false }
        switch self {
        case .isbn, .text: return true
        case .words, .anyWords:
            if text.isEmpty { return true }
            // In scripts where a character is a word, one is enough.
            return text.unicodeScalars.contains(where: Self.isWord)
                && (text.unicodeScalars.count > 1 || !text.unicodeScalars.allSatisfy(\.isASCII))
        case .key, .library: return text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        case .job:
            return !"._-".contains(text.prefix(1))
                && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._-".utf8.contains($0) }
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
