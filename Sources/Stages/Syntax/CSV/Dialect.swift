/// How a file separates its cells: the two bytes that a CSV parser needs to be told.
///
/// Line ends are not part of it: CRLF, LF and CR all end a record, mixed as they come (RFC 4180 asks for
/// CRLF, exports of different years do not).
package struct Dialect: Sendable, Hashable {
    /// What stands between two cells: an ASCII byte other than CR, LF and the quote.
    package var delimiter: UInt8
    /// What encloses a cell and is doubled inside it; nil where quotes have no meaning and stand for
    /// themselves.
    package var quote: UInt8?

    package init(delimiter: UInt8, quote: UInt8? = UInt8(ascii: "\"")) {
        self.delimiter = delimiter
        self.quote = quote
    }

    /// RFC 4180: comma and double quote.
    package static let comma = Dialect(delimiter: UInt8(ascii: ","))
    /// Tab and double quote, as spreadsheets write it.
    package static let tab = Dialect(delimiter: UInt8(ascii: "\t"))
    /// Semicolon and double quote: the CSV of places that write decimals with a comma.
    package static let semicolon = Dialect(delimiter: UInt8(ascii: ";"))
}

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

/// A dialect and what the head looks like when read by it.
struct DialectTrial {
    private static let recordsLookedAt = 200

    let dialect: Dialect
    private(set) var columns = 1
    private var records = 0
    private var agreeing = 0
    private var firstAgrees = false
    private var newline = NewlineStyle.none

    init(_ dialect: Dialect, _ head: [UInt8]) {
        self.dialect = dialect
        var run = ParsedRecords()
        head.withUnsafeBytes { bytes in
            _ = CSVParser(dialect: dialect).parse(
                bytes, isFinal: true, maxRecords: Self.recordsLookedAt, into: &run)
            newline = Self.newline(of: run.marks, in: bytes)
        }
        var shapes: [(columns: Int, isSound: Bool)] = []
        var cell = 0
        for mark in run.marks {
            if !mark.isBlank {
                let isSound = mark.flags.isDisjoint(with: [.textAfterQuote, .unterminatedQuote])
                shapes.append((mark.cellsEnd - cell, isSound))
            }
            cell = mark.cellsEnd
        }
        let counts = Dictionary(grouping: shapes, by: \.columns).mapValues(\.count)
        columns = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 1
        // The head may have been cut within its last record.
        if run.marks.last.map({ $0.next == $0.end }) == true, shapes.count > 1,
            let last = shapes.last, last.columns < columns || !last.isSound
        {
            shapes.removeLast()
        }
        records = shapes.count
        agreeing = shapes.count { $0.columns == columns && $0.isSound }
        firstAgrees = shapes.first?.columns == columns
    }

    private var consistency: Double { records == 0 ? 0 : Double(agreeing) / Double(records) }

    /// More columns are less likely to be chance; a colon stands in times and titles.
    var score: Double {
        let likelihood = consistency * (1 - 1 / Double(columns)) + (firstAgrees ? 0.5 : 0)
        return dialect.delimiter == UInt8(ascii: ":") ? likelihood / 2 : likelihood
    }

    var guess: DialectGuess {
        DialectGuess(
            dialect: dialect, columns: columns, consistency: consistency, newline: newline,
            evidence: columns == 1
                ? "No delimiter is consistent: each of \(records) records is one cell."
                : "\(dialect.name): \(agreeing) of the first \(records) records have \(columns) cells.")
    }

    private static func newline(
        of marks: UnsafeBufferPointer<ParsedRecords.Mark>, in bytes: UnsafeRawBufferPointer
    ) -> NewlineStyle {
        var style = NewlineStyle.none
        for mark in marks where mark.next > mark.end {
            let own: NewlineStyle =
                mark.next - mark.end == 2
                ? .carriageReturnLineFeed
                : bytes[mark.end] == UInt8(ascii: "\n") ? .lineFeed : .carriageReturn
            if style != .none, style != own { return .mixed }
            style = own
        }
        return style
    }
}
