/// A quote that is opened and never closed, so that by the letter all that follows is one field: where its line ends.
///
/// By the parser's rules such a field runs to the end of the input. Two things look alike then: a download that was cut
/// off within a review, and a quote too many somewhere in a table, behind which the other records stand unharmed. They
/// are told apart by what the line itself is without the quote and by what follows it: records of as many cells as the
/// table has columns, or prose. What is not plainly a table is left as it is.
struct LoneQuote {
    /// The record given up: all up to the end of the line in which the quote is opened. In offsets from its beginning.
    let mark: ParsedRun.Mark

    /// Columns from which on prose hardly ever has as many delimiters, so that some damaged records may be among the others.
    private static let tellingColumns = 8
    /// Delimiters in their places that make a table.
    private static let fewestDelimiters = 8
    /// Records that are looked at: as many tell, and cost little memory.
    private static let mostRecords = 1_000

    /// - Parameters:
    ///   - bytes: The record and what follows it, beginning with it.
    ///   - isWhole: Whether the input ends with the bytes; otherwise they are cut somewhere.
    ///   - columns: Cells of a sound record.
    /// - Returns: Nil where no quote is left open, or nothing is known to be lost by it.
    init?(in bytes: UnsafeRawBufferPointer, isWhole: Bool, _ parser: CSVParser, columns: Int) {
        let limits = RecordLimits(
            fieldBytes: bytes.count, recordBytes: bytes.count, columns: parser.limits.columns)
        let parser = CSVParser(parser, limits: limits)
        var run = ParsedRun()
        guard parser.parse(bytes, isFinal: true, maxRecords: 1, into: &run) == .end,
            let record = run.marks.first,
            record.flags.contains(.unterminatedQuote), let open = run.cells.last, !open.isEmpty,
            let lineEnd = Self.lineEnd(in: bytes, from: Int(open.offset)), lineEnd.next < bytes.count
        else { return nil }
        let delimiters = bytes[Int(open.offset)..<lineEnd.start].count { $0 == parser.delimiter }
        guard run.cells.count + delimiters == columns else { return nil }
        let (sound, all) = Self.records(
            in: UnsafeRawBufferPointer(rebasing: bytes[lineEnd.next...]), isWhole: isWhole, parser, columns,
            &run)
        let isTable = columns < Self.tellingColumns ? sound == all : sound * 2 > all
        guard isTable, sound * (columns - 1) >= Self.fewestDelimiters else { return nil }
        let lost = UnsafeRawBufferPointer(rebasing: bytes[..<lineEnd.next])
        mark = ParsedRun.Mark(
            end: lineEnd.start, next: lineEnd.next, cellsEnd: 0,
            lineEnds: parser.countLineEnds(lost.assumingMemoryBound(to: UInt8.self)),
            flags: [.unterminatedQuote, .unreadable], isBlank: false)
    }

    /// Records that follow: those of the right width, and all but blank lines.
    private static func records(
        in bytes: UnsafeRawBufferPointer, isWhole: Bool, _ parser: CSVParser, _ columns: Int,
        _ run: inout ParsedRun
    ) -> (sound: Int, all: Int) {
        _ = parser.parse(bytes, isFinal: isWhole, maxRecords: mostRecords, into: &run)
        var (sound, all, first) = (0, 0, 0)
        for mark in run.marks {
            if !mark.isBlank {
                all += 1
                if mark.cellsEnd - first == columns { sound += 1 }
            }
            first = mark.cellsEnd
        }
        return (sound, all)
    }

    private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> (start: Int, next: Int)?
    {
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        guard let end = bytes[start...].firstIndex(where: isEnd) else { return nil }
        let isPair =
            bytes[end] == UInt8(ascii: "\r") && end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: "\n")
        return (end, end + (isPair ? 2 : 1))
    }
}
