package import Syntax

/// The user's options for delimited text, which override the guesses.
package struct TextOptions: Sendable, Hashable {
    /// Quoting of cells.
    package enum Quote: Sendable, Hashable {
        case byte(UInt8)
        /// Double quotes, with a backslash before those inside a cell.
        case backslash
        /// Quotes have no special meaning.
        case none
    }

    /// Location of the header.
    package enum Header: Sendable, Hashable {
        /// The header is searched for.
        case searched
        /// In the record with this number, counted from 1 including blank ones.
        case record(Int)
        /// The file has none. Its columns are `Column 1` and so on, or those of a headerless format.
        case none
    }

    package var encoding: TextEncoding?
    package var delimiter: UInt8?
    package var quote: Quote?
    package var header = Header.searched

    package init() {}

    /// The guessed dialect with the user's options applied.
    func applied(to guess: Dialect) -> Dialect {
        var dialect = guess
        if let delimiter { dialect.delimiter = delimiter }
        switch quote {
        case .byte(let byte): (dialect.quote, dialect.escapesQuotes) = (byte, false)
        case .backslash: (dialect.quote, dialect.escapesQuotes) = (UInt8(ascii: "\""), true)
        case .some(.none): dialect.quote = nil
        case nil: break
        }
        return dialect
    }
}

/// The options as text, for the command line, mapping files and stored jobs.
extension TextOptions {
    /// Sets `encoding`, `delimiter`, `quote` or `header` from its text; false if the text is invalid.
    package mutating func take(_ key: String, _ word: String) -> Bool {
        switch key {
        case "encoding":
            guard let encoding = TextEncoding(named: word) else { return false }
            self.encoding = encoding
        case "delimiter":
            guard let byte = word == "tab" ? UInt8(ascii: "\t") : Self.byte(word), quote != .byte(byte)
            else { return false }
            delimiter = byte
        case "quote":
            guard
                let quote = word == "none"
                    ? Quote.none : word == "backslash" ? .backslash : Self.byte(word).map({ Quote.byte($0) }),
                delimiter.map({ quote != .byte($0) }) ?? true
            else { return false }
            self.quote = quote
        case "header":
            guard
                let header = word == "none"
                    ? Header.none : Int(word).flatMap({ $0 > 0 ? Header.record($0) : nil })
            else { return false }
            self.header = header
        default: return false
        }
        return true
    }

    /// Requirement for the value of a key, to complete "must be …".
    package static func requirement(_ key: String) -> String {
        switch key {
        case "encoding": "one of \(TextEncoding.allCases.map(\.rawValue).joined(separator: ", "))"
        case "delimiter": "one ASCII character that is not the quote, or tab"
        case "quote": "one ASCII character that is not the delimiter, backslash, or none"
        default: "the number of a record, or none"
        }
    }

    /// All options that are set, in the form that ``take(_:_:)`` accepts.
    var words: [(key: String, word: String)] {
        var words: [(key: String, word: String)] = []
        if let encoding { words.append(("encoding", encoding.rawValue)) }
        if let delimiter {
            words.append(
                ("delimiter", delimiter == UInt8(ascii: "\t") ? "tab" : String(UnicodeScalar(delimiter))))
        }
        switch quote {
        case .byte(let byte): words.append(("quote", String(UnicodeScalar(byte))))
        case .backslash: words.append(("quote", "backslash"))
        case .some(.none): words.append(("quote", "none"))
        case nil: break
        }
        switch header {
        case .searched: break
        case .record(let number): words.append(("header", String(number)))
        case .none: words.append(("header", "none"))
        }
        return words
    }

    private static func byte(_ word: String) -> UInt8? {
        guard word.utf8.count == 1, let byte = word.utf8.first, byte < 0x80, byte != 0x0A, byte != 0x0D else {
            return nil
        }
        return byte
    }
}
