/// Separator and quotes of a file's cells.
///
/// Line ends are not part of it: CRLF, LF and CR all end a record, even mixed. RFC 4180 requires CRLF, but
/// real exports vary.
package struct Dialect: Sendable, Hashable {
    /// The byte between two cells: an ASCII byte other than CR, LF and the quote.
    package var delimiter: UInt8
    /// The byte that encloses a cell and is doubled inside it; nil if quotes have no meaning.
    package var quote: UInt8?
    /// Whether a quote inside a cell has a backslash before it instead of being doubled, as in exports of MySQL.
    package var escapesQuotes = false

    package init(delimiter: UInt8, quote: UInt8? = UInt8(ascii: "\"")) {
        self.delimiter = delimiter
        self.quote = quote
    }

    /// RFC 4180: comma and double quote.
    package static let comma = Dialect(delimiter: UInt8(ascii: ","))
    /// Tab and double quote, as written by spreadsheets.
    package static let tab = Dialect(delimiter: UInt8(ascii: "\t"))
    /// Semicolon and double quote: the CSV of locales with a decimal comma.
    package static let semicolon = Dialect(delimiter: UInt8(ascii: ";"))
}

/// The dialect guessed from a file's head, with the reason.
package struct DialectGuess: Sendable, Hashable {
    package var dialect: Dialect
    /// Number of cells in most records; 1 if no delimiter was found.
    package var columns: Int
    /// Share of the examined records that have this many cells and valid quotes, 0…1.
    package var consistency: Double
    package var newline: NewlineStyle
    /// One sentence for the user.
    package var evidence: String
}

/// Line ends of records.
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
    /// A delimiter is accepted if it gives the same number of cells record after record. The first record
    /// counts most, because column names rarely contain a delimiter character. Quotes are accepted unless
    /// cells that begin with one hardly ever end with one. If nothing is consistent, the result is the comma.
    package static func sniff(head: [UInt8]) -> DialectGuess {
        var best: DialectTrial?
        for dialect in candidates {
            let trial = DialectTrial(dialect, head)
            guard trial.columns > 1, trial.score > (best?.score ?? 0) else { continue }
            best = trial
        }
        let found = best ?? DialectTrial(.comma, head)
        return escaped(found, head) ?? found.guess
    }

    /// The same dialect with quotes after backslashes, if more records are sound that way.
    private static func escaped(_ found: DialectTrial, _ head: [UInt8]) -> DialectGuess? {
        guard let quote = found.dialect.quote, head.contains(UInt8(ascii: "\\")) else { return nil }
        let replaced = BackslashQuotes.replaced(in: head, quote: quote)
        guard replaced != head else { return nil }
        let trial = DialectTrial(found.dialect, replaced)
        guard trial.agreeing > found.agreeing else { return nil }
        var guess = trial.guess
        guess.dialect.escapesQuotes = true
        guess.evidence += " Quotes in cells have a backslash before them."
        return guess
    }

    /// The first of equals wins.
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

/// A dialect, tried on a file's head.
struct DialectTrial {
    private static let recordsLookedAt = 200

    let dialect: Dialect
    private(set) var columns = 1
    private var records = 0
    /// Records with the usual number of cells and without damaged quotes.
    private(set) var agreeing = 0
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
        // The head may end within its last record.
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

    /// More columns are less likely to be chance. A colon also occurs in times and titles.
    var score: Double {
        let likelihood = consistency * (1 - 1 / Double(columns)) + (firstAgrees ? 0.5 : 0)
        return dialect.delimiter == UInt8(ascii: ":") ? likelihood / 2 : likelihood
    }

    var guess: DialectGuess {
        DialectGuess(
            dialect: dialect, columns: columns, consistency: consistency, newline: newline,
            evidence: columns == 1
                ? "No delimiter is consistent: each of the first \(records) rows has one cell."
                : "\(dialect.name): \(agreeing) of the first \(records) rows have \(columns) cells.")
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
