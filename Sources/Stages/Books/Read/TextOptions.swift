package import Syntax

/// What the reader says of a file of delimited text, where the guesses shall not be taken.
package struct TextOptions: Sendable, Hashable {
    /// What encloses cells.
    package enum Quote: Sendable, Hashable {
        case byte(UInt8)
        /// Quotes have no meaning.
        case none
    }

    /// Where the header stands.
    package enum Header: Sendable, Hashable {
        /// Where it is found.
        case searched
        /// In the record of that number, from 1, blank ones counted.
        case record(Int)
        /// The file has none: its columns are `Column 1` and so on, or those of a format that has no header.
        case none
    }

    package var encoding: TextEncoding?
    package var delimiter: UInt8?
    package var quote: Quote?
    package var header = Header.searched

    package init() {}

    /// A dialect with what was said in place of what was guessed.
    func applied(to guess: Dialect) -> Dialect {
        var dialect = guess
        if let delimiter { dialect.delimiter = delimiter }
        switch quote {
        case .byte(let byte): dialect.quote = byte
        case .some(.none): dialect.quote = nil
        case nil: break
        }
        return dialect
    }
}
