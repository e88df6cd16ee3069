/// What a file's head says about its dialect, and why.
package struct DialectGuess: Sendable, Hashable {
    package var dialect: Dialect
    /// Cells of most records.
    package var columns: Int
    /// Share of the records looked at that have so many cells, 0…1.
    package var consistency: Double
    /// How its lines end.
    package var newline: NewlineStyle
    /// One sentence for the reader.
    package var evidence: String
}

/// How lines end outside quotes.
package enum NewlineStyle: String, Sendable, Hashable {
    case lineFeed = "LF"
    case carriageReturnLineFeed = "CRLF"
    case carriageReturn = "CR"
    case mixed
    /// The text holds no line end.
    case none
}

extension Dialect {
    /// Guesses the dialect from the first bytes of a file, decoded to UTF-8 and without byte order mark.
    package static func sniff(head: [UInt8]) -> DialectGuess {
        DialectGuess(dialect: .comma, columns: 0, consistency: 0, newline: .none, evidence: "")
    }
}
