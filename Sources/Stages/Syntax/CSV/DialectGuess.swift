/// What a file's head says about its dialect, and why.
package struct DialectGuess: Sendable, Hashable {
    package var dialect: Dialect
    /// Cells of most records; 1 where nothing separates cells.
    package var columns: Int
    /// Share of the records looked at that have so many cells and sound quotes, 0…1.
    package var consistency: Double
    /// How its lines end.
    package var newline: NewlineStyle
    /// One sentence for the reader.
    package var evidence: String
}

/// How records end.
package enum NewlineStyle: String, Sendable, Hashable {
    case lineFeed = "LF"
    case carriageReturnLineFeed = "CRLF"
    case carriageReturn = "CR"
    case mixed
    /// No record ends with a line end.
    case none
}

extension Dialect {
    /// Guesses the dialect from the first bytes of a file, decoded to UTF-8 and without byte order mark.
    ///
    /// A delimiter is believed when it gives record after record the same number of cells, the first record
    /// above all: the names of columns hold few delimiters that are none. Quotes are believed unless cells
    /// that begin with one hardly ever end with one. Where nothing is consistent the answer is the comma.
    package static func sniff(head: [UInt8]) -> DialectGuess {
        var best: DialectTrial?
        for dialect in candidates {
            let trial = DialectTrial(dialect, head)
            guard trial.columns > 1, trial.score > (best?.score ?? 0) else { continue }
            best = trial
        }
        return (best ?? DialectTrial(.comma, head)).guess
    }

    /// In the order in which ties are broken.
    private static let candidates: [Dialect] = [
        .comma, .tab, .semicolon, Dialect(delimiter: UInt8(ascii: "|")),
        Dialect(delimiter: UInt8(ascii: "\t"), quote: nil), Dialect(delimiter: UInt8(ascii: "|"), quote: nil),
        Dialect(delimiter: UInt8(ascii: ":")),
    ]

    var name: String {
        switch delimiter {
        case UInt8(ascii: ","): "Comma"
        case UInt8(ascii: "\t"): "Tab"
        case UInt8(ascii: ";"): "Semicolon"
        case UInt8(ascii: "|"): "Bar"
        default: "Colon"
        }
    }
}
