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
