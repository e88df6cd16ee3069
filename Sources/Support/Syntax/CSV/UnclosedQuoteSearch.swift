import Bytes

/// Looks for an ``UnclosedQuote`` in records of several lines.
///
/// By the parser's rules a quoted field extends to the next single quote or to the end of the input. There
/// are three cases of long fields: a long review, a file that was truncated within a quoted field, and an
/// extra quote somewhere in a table, followed by undamaged records. The search distinguishes them by the line
/// with the quote, read as if the quote were not there, and by what follows: records with as many cells as
/// the table has columns, or prose. A record that is closed and has the right number of cells is never
/// doubted. A record that is not clearly part of a table is left unchanged.
struct UnclosedQuoteSearch: ~Copyable {
    enum Finding {
        case nothing
        case quote(UnclosedQuote)
        /// The last of the swallowed lines continues after the bytes.
        case needsInput
    }

    /// From this number of columns on, prose hardly ever has as many delimiters, so some of the other records
    /// may be damaged.
    private static let distinctiveColumns = 8
    /// Minimum number of correctly placed delimiters for text to be a table.
    private static let minDelimiters = 8
    /// The same if each record has the right number of cells, and no delimiter is followed by a blank: in prose
    /// almost all are.
    private static let minUnspacedDelimiters = 1
    /// Maximum number of records to examine: enough to decide, and little memory.
    private static let maxRecords = 1_000
    /// Maximum number of cells of a record whose following lines are examined. This bounds the cost.
    private static let maxCells = 4

    private let parser: CSVParser
    /// Number of cells of a valid record; nil if unknown, and then nothing is found.
    private let columns: Int?
    private var run = ParsedRecords()

    init(_ parser: CSVParser, columns: Int?) {
        // Nothing longer than a record's limit is examined.
        let limits = RecordLimits(
            fieldBytes: .max, recordBytes: parser.limits.recordBytes, columns: parser.limits.columns)
        self.parser = CSVParser(parser, limits: limits)
        self.columns = columns
    }

    /// Examines a record.
    ///
    /// - Parameters:
    ///   - bytes: The record and what follows it, beginning with the record.
    ///   - end: End of the record by the parser's rules, without its line end; nil if it continues after
    ///     the bytes.
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
            // A properly closed cell is doubted only if the whole record is known, and only under the
            // strictest conditions.
            guard !isClosed || end != nil,
                width == columns || width > columns && !isClosed && columns >= Self.distinctiveColumns
            else { continue }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[cell.lineEnd.next...])
            let lines = records(in: rest, before: record.count - cell.lineEnd.next, isWhole: isWhole, columns)
            if lines.isOpen, canGrow { return .needsInput }
            let isTable =
                columns < Self.distinctiveColumns || isClosed
                ? lines.sound == lines.all && !(isClosed && lines.isOpen) : lines.sound * 2 > lines.all
            let isUnspaced = !isClosed && !lines.isSpaced && lines.sound == lines.all
            let enough = isUnspaced ? Self.minUnspacedDelimiters : Self.minDelimiters
            if isTable, lines.sound * (columns - 1) >= enough {
                return .quote(quote(of: cell, in: bytes, isOpenAtEnd: isOpen))
            }
            left -= 1
            if left == 0 { break }
        }
        return .nothing
    }

    /// The cells of a record that may begin with an unclosed quote, and whether the last of them is open at
    /// the record's end.
    ///
    /// - Returns: Nil if nothing is wrong with the record.
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
            // In an open record with the right number of cells, only the last cell is doubted.
            if isOpen, !isCut, count == columns, column < count - 1 { continue }
            if let cell = MultilineCell(column: column, field, in: record) { list.append(cell) }
        }
        return (list, isOpen && list.last?.column == count - 1)
    }

    /// Parses the bytes separately and counts the records that begin before an offset.
    ///
    /// - Returns: The number of records with the right number of cells, the number of all non-blank records,
    ///   whether the last one continues after the bytes, and whether a blank follows any delimiter.
    private mutating func records(
        in bytes: UnsafeRawBufferPointer, before end: Int, isWhole: Bool, _ columns: Int
    ) -> (sound: Int, all: Int, isOpen: Bool, isSpaced: Bool) {
        // Bytes after the offset are not evidence, and may be the whole window.
        let ending = parser.parse(
            bytes, isFinal: isWhole, maxRecords: Self.maxRecords, maxBytes: end, into: &run)
        var (sound, all, first, start, rewrite) = (0, 0, 0, 0, 0)
        var isSpaced = false
        for mark in run.marks where start < end {
            if !mark.isBlank {
                all += 1
                if mark.cellsEnd - first == columns { sound += 1 }
                isSpaced =
                    isSpaced
                    || (first..<mark.cellsEnd).dropFirst().contains { beginsWithBlank($0, bytes, &rewrite) }
            }
            (first, start) = (mark.cellsEnd, mark.next)
        }
        switch ending {
        case .needsInput, .overlong: return (sound, all, start < end, isSpaced)
        case .overLimit: return (sound, start < end ? all + 1 : all, false, isSpaced)
        case .full, .end, .acrossLines: return (sound, all, false, isSpaced)
        }
    }

    /// Whether the value of a cell begins with a blank.
    ///
    /// - Parameter rewrite: Index of the next cell to rewrite. Cells are passed in ascending order.
    private func beginsWithBlank(
        _ cell: Int, _ bytes: UnsafeRawBufferPointer, _ rewrite: inout Int
    ) -> Bool {
        while rewrite < run.rewrites.count, run.rewrites[rewrite].cell < cell { rewrite += 1 }
        guard rewrite < run.rewrites.count, run.rewrites[rewrite].cell == cell else {
            return bytes[run.cells[cell].range].first == UInt8(ascii: " ")
        }
        // After the opening quote, another one closes the field unless it is doubled.
        let value = bytes[run.rewrites[rewrite].field].dropFirst()
        return (value.first == parser.quote ? value.dropFirst() : value).first == UInt8(ascii: " ")
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

/// A quote that is opened and never closed, or closed only by a quote of another record, so that by the
/// parser's rules everything up to there is one field. Found by ``UnclosedQuoteSearch``.
struct UnclosedQuote {
    /// The record given up: everything up to the end of the line in which the quote is opened. In offsets
    /// from its beginning.
    let mark: ParsedRecords.Mark
    /// Whether its field is still open where the examined bytes end.
    let isOpenAtEnd: Bool
}

/// A quoted cell with line ends in it.
struct MultilineCell {
    /// Number of cells before it in its record.
    let column: Int
    /// Offset in the record after its opening quote.
    let start: Int
    /// End of the line that opens it, and start of the next line.
    let lineEnd: (start: Int, next: Int)

    /// - Parameter field: Its range in the record, without its opening quote.
    /// - Returns: Nil if it has no line end.
    init?(column: Int, _ field: Range<Int>, in record: UnsafeRawBufferPointer) {
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        guard let end = record[field].firstIndex(where: isEnd) else { return nil }
        let isPair =
            record[end] == UInt8(ascii: "\r") && end + 1 < record.count
            && record[end + 1] == UInt8(ascii: "\n")
        (self.column, start, lineEnd) = (column, field.lowerBound, (end, end + (isPair ? 2 : 1)))
    }

    /// Number of cells of the line in which it is opened, if its quote were not there.
    func width(in record: UnsafeRawBufferPointer, _ parser: CSVParser) -> Int {
        column + 1 + record[start..<lineEnd.start].count { $0 == parser.delimiter }
    }

    /// Whether a quote properly closes it.
    func isClosed(in record: UnsafeRawBufferPointer, _ parser: CSVParser) -> Bool {
        var quote = ClosingQuote(parser)
        return quote.isClosing(in: UnsafeRawBufferPointer(rebasing: record[start...]), isFinal: true) ?? false
    }
}

/// Looks, from within a quoted field, for the quote that closes it, in bytes that arrive in pieces.
///
/// This distinguishes an unclosed quote from a field that is only long. If the next quote is followed by a
/// delimiter, a line end or the end of the input, it closes the field properly. After an unclosed quote, the
/// next quote opens another field and is followed by text, or there is no next quote.
struct ClosingQuote {
    private let delimiter: UInt8
    private let quote: UInt8
    /// Whether the previous byte was a quote that is not the second of a doubled one.
    private var isBehindQuote = false

    init(_ parser: CSVParser) { (delimiter, quote) = (parser.delimiter, parser.quote) }

    /// Examines the next bytes.
    ///
    /// - Returns: Whether the field is properly closed; nil if more bytes are needed to decide.
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
