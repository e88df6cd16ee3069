import Bytes

/// Looks for a ``UnclosedQuote`` in records of several lines.
///
/// By the parser's rules a quoted field runs to the next single quote, or to the end of the input. So do a long review, a
/// download that was cut off within one, and a quote too many somewhere in a table, behind which the other records stand
/// unharmed. The quote is told by what its line is without it and by what follows: records of as many cells as the table
/// has columns, or prose. A record that is closed and has as many cells itself is never doubted, and what is not plainly
/// a table is left as it is.
struct UnclosedQuoteSearch: ~Copyable {
    enum Finding {
        case nothing
        case quote(UnclosedQuote)
        /// The last of the lines that were swallowed goes on behind the bytes.
        case needsInput
    }

    /// Columns from which on prose hardly ever has as many delimiters, so that some damaged records may be among the others.
    private static let distinctiveColumns = 8
    /// Delimiters in their places that make a table.
    private static let minDelimiters = 8
    /// Records that are looked at: as many tell, and cost little memory.
    private static let maxRecords = 1_000
    /// Cells of a record whose following lines are looked at: what they cost is bounded.
    private static let maxCells = 4

    private let parser: CSVParser
    /// Cells of a sound record; nil where nothing is known of it, and nothing found.
    private let columns: Int?
    private var run = ParsedRecords()

    init(_ parser: CSVParser, columns: Int?) {
        // Nothing that is looked at is longer than a record may be.
        let limits = RecordLimits(
            fieldBytes: .max, recordBytes: parser.limits.recordBytes, columns: parser.limits.columns)
        self.parser = CSVParser(parser, limits: limits)
        self.columns = columns
    }

    /// Looks at a record.
    ///
    /// - Parameters:
    ///   - bytes: The record and what follows it, beginning with it.
    ///   - end: Where it ends by the letter, without its line end; nil where it goes on behind the bytes.
    ///   - isWhole: Whether the input ends with the bytes.
    ///   - canGrow: Whether there may be more bytes.
    mutating func look(
        at bytes: UnsafeRawBufferPointer, recordEnd end: Int?, isWhole: Bool, canGrow: Bool
    ) -> Finding {
        guard let columns else { return .nothing }
        let record = UnsafeRawBufferPointer(rebasing: bytes[..<(end ?? bytes.count)])
        guard let cells = cellsOfLines(of: record, columns, isCut: end == nil) else { return .nothing }
        var left = Self.maxCells
        for (index, cell) in cells.list.enumerated() where cell.lineEnd.next < bytes.count {
            let isOpen = cells.isOpen && index == cells.list.count - 1
            let isClosed = !isOpen && cell.isClosed(in: record, parser)
            let width = cell.width(in: record, parser)
            // One that is closed as it should, in a record of which all is known, is doubted by the strictest measure.
            guard !isClosed || end != nil,
                width == columns || width > columns && !isClosed && columns >= Self.distinctiveColumns
            else { continue }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[cell.lineEnd.next...])
            let lines = records(in: rest, before: record.count - cell.lineEnd.next, isWhole: isWhole, columns)
            if lines.isOpen, canGrow { return .needsInput }
            let isTable =
                columns < Self.distinctiveColumns || isClosed
                ? lines.sound == lines.all && !(isClosed && lines.isOpen) : lines.sound * 2 > lines.all
            if isTable, lines.sound * (columns - 1) >= Self.minDelimiters {
                return .quote(quote(of: cell, in: bytes, isOpenAtEnd: isOpen))
            }
            left -= 1
            if left == 0 { break }
        }
        return .nothing
    }

    /// The cells of a record that may begin with a lone quote, and whether the last of them is open at its end; nil where
    /// nothing is wrong with the record.
    private mutating func cellsOfLines(
        of record: UnsafeRawBufferPointer, _ columns: Int, isCut: Bool
    ) -> (list: [MultilineCell], isOpen: Bool)? {
        guard parser.parse(record, isFinal: true, maxRecords: 1, into: &run) == .end,
            let mark = run.marks.first
        else { return nil }
        let count = run.cells.count
        let isOpen = mark.flags.contains(.unterminatedQuote)
        guard isOpen || isCut || count != columns else { return nil }
        var list: [MultilineCell] = []
        var rewrite = 0
        for column in 0..<count {
            var field = run.cells[column].range
            if rewrite < run.rewrites.count, run.rewrites[rewrite].cell == column {
                field = run.rewrites[rewrite].field.lowerBound + 1..<run.rewrites[rewrite].field.upperBound
                rewrite += 1
            }
            // Of an open record of the right width it is the last cell that is doubted.
            if isOpen, !isCut, count == columns, column < count - 1 { continue }
            if let cell = MultilineCell(column: column, field, in: record) { list.append(cell) }
        }
        return (list, isOpen && list.last?.column == count - 1)
    }

    /// What begins before an offset, read for itself: records of the right width, all but blank lines, and whether the last
    /// of them goes on behind the bytes.
    private mutating func records(
        in bytes: UnsafeRawBufferPointer, before end: Int, isWhole: Bool, _ columns: Int
    ) -> (sound: Int, all: Int, isOpen: Bool) {
        // What lies behind the offset says nothing, and may be the whole window.
        let ending = parser.parse(
            bytes, isFinal: isWhole, maxRecords: Self.maxRecords, maxBytes: end, into: &run)
        var (sound, all, first, start) = (0, 0, 0, 0)
        for mark in run.marks where start < end {
            if !mark.isBlank {
                all += 1
                if mark.cellsEnd - first == columns { sound += 1 }
            }
            (first, start) = (mark.cellsEnd, mark.next)
        }
        switch ending {
        case .needsInput, .overlong: return (sound, all, start < end)
        case .overLimit: return (sound, start < end ? all + 1 : all, false)
        case .full, .end, .acrossLines: return (sound, all, false)
        }
    }

    private func quote(
        of cell: MultilineCell, in bytes: UnsafeRawBufferPointer, isOpenAtEnd: Bool
    ) -> UnclosedQuote {
        let lost = UnsafeRawBufferPointer(rebasing: bytes[..<cell.lineEnd.next])
        let mark = ParsedRecords.Mark(
            end: cell.lineEnd.start, next: cell.lineEnd.next, cellsEnd: 0,
            lineEnds: parser.countLineEnds(lost.assumingMemoryBound(to: UInt8.self)),
            flags: [.unterminatedQuote, .unreadable], isBlank: false)
        return UnclosedQuote(mark: mark, isOpenAtEnd: isOpenAtEnd)
    }
}

/// A quote that is opened and never closed, or closed only by a quote of another record, so that by the letter what
/// follows is one field: where its line ends. ``UnclosedQuoteSearch`` tells it.
struct UnclosedQuote {
    /// The record given up: all up to the end of the line in which the quote is opened. In offsets from its beginning.
    let mark: ParsedRecords.Mark
    /// Whether its field is open where the bytes end that were looked at.
    let isOpenAtEnd: Bool
}

/// A quoted cell that goes over ends of lines.
struct MultilineCell {
    /// Cells before it in its record.
    let column: Int
    /// Offset in the record behind its opening quote.
    let start: Int
    /// Where the line ends in which it is opened, and where the next begins.
    let lineEnd: (start: Int, next: Int)

    /// - Parameters:
    ///   - field: Where it stands in the record, without its opening quote.
    /// - Returns: Nil for one that stays in its line.
    init?(column: Int, _ field: Range<Int>, in record: UnsafeRawBufferPointer) {
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        guard let end = record[field].firstIndex(where: isEnd) else { return nil }
        let isPair =
            record[end] == UInt8(ascii: "\r") && end + 1 < record.count
            && record[end + 1] == UInt8(ascii: "\n")
        (self.column, start, lineEnd) = (column, field.lowerBound, (end, end + (isPair ? 2 : 1)))
    }

    /// Cells of the line in which it is opened, were its quote not there.
    func width(in record: UnsafeRawBufferPointer, _ parser: CSVParser) -> Int {
        column + 1 + record[start..<lineEnd.start].count { $0 == parser.delimiter }
    }

    /// Whether a quote closes it as it should.
    func isClosed(in record: UnsafeRawBufferPointer, _ parser: CSVParser) -> Bool {
        var quote = ClosingQuote(parser)
        return quote.isClosing(in: UnsafeRawBufferPointer(rebasing: record[start...]), isFinal: true) ?? false
    }
}

/// Looks, from within a quoted field, for the quote that closes it, in bytes that come piece by piece.
///
/// A lone quote is told by it from a field that is only long: what the next quote closes as it should, with a delimiter, a
/// line end or the end of the input behind it, is a field. Behind a lone one the next quote opens another field, and text
/// follows it; or there is none.
struct ClosingQuote {
    private let delimiter: UInt8
    private let quote: UInt8
    /// Whether the byte before was a quote that is no second one.
    private var isBehindQuote = false

    init(_ parser: CSVParser) { (delimiter, quote) = (parser.delimiter, parser.quote) }

    /// Looks at the bytes that come next.
    ///
    /// - Returns: Whether the field is closed as it should; nil where more bytes are needed to tell.
    mutating func isClosing(in bytes: UnsafeRawBufferPointer, isFinal: Bool) -> Bool? {
        var at = 0
        while true {
            if isBehindQuote {
                guard at < bytes.count else { return isFinal ? true : nil }
                guard bytes[at] == quote else {
                    let isLineEnd = bytes[at] == UInt8(ascii: "\r") || bytes[at] == UInt8(ascii: "\n")
                    return isLineEnd || bytes[at] == delimiter
                }
                isBehindQuote = false
                at += 1
            }
            guard let found = bytes.offset(of: quote, from: at) else { return isFinal ? false : nil }
            isBehindQuote = true
            at = found + 1
        }
    }
}
