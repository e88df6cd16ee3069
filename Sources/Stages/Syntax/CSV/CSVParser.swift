import CScan

/// Finds records and cells in bytes: RFC 4180, and what people really have.
///
/// The parser is total. There is no malformed input, only records with ``RecordFlags``:
/// - A field that begins with a quote is quoted: delimiters and line ends in it are text, a doubled quote is
///   a quote. It ends at the first single quote; text between that and the next delimiter or line end is kept
///   (`"ab"cd` is `abcd`), quotes in it standing for themselves. Without an end it runs to the end of the
///   input (``UnclosedQuote`` is for whoever knows better).
/// - In any other field a quote is a character like any other: `="0439708184"`, `6" tall`.
/// - CRLF, LF and CR end a record, mixed as they come. The last one may lack its line end.
/// - Nothing is trimmed, no byte is special but delimiter, quote, CR and LF.
///
/// It looks at a stretch of bytes that begins with a record and finds the whole records in it. What a record
/// is depends on its own bytes alone (and, after a CR, the one behind), so cutting the input elsewhere
/// changes nothing. If the stretch ends within a record, that record waits: the caller shows it again with
/// more behind it.
///
/// For whoever edits this: `CSVTwin` in the tests says the same byte by byte and is the judge. A scan finds
/// where all fields of a few KiB end (``FieldBoundaries``), whatever their quotes; cells are made of those ends many
/// at a time. What is left to visit is the ends of records, and the few fields whose quotes are more than a
/// pair around them: doubled ones are noted, others looked at closely (``FieldQuoting``), after the event.
package struct CSVParser: Sendable {
    /// Why a look at some bytes ended.
    package enum Ending: Sendable, Hashable {
        /// The rest is the beginning of a record, or nothing.
        case needsInput
        /// There are as many records or bytes as were asked for.
        case full
        /// The next record has too long a field or too many cells, which are dropped. It ends as the mark
        /// says, in offsets from its own beginning.
        case overLimit(ParsedRecords.Mark)
        /// The next record is longer than any may be: ``OversizedRecord`` finds its end.
        case overlong
        /// The last record found goes over several lines and has not as many cells as it should: a ``UnclosedQuote`` may
        /// have swallowed some of them.
        case acrossLines
        /// All bytes were the input's last and are consumed.
        case end
    }

    let delimiter: UInt8
    /// The delimiter where quotes have no meaning: it is asked for first, so no byte is ever taken for a
    /// quote.
    let quote: UInt8
    let limits: RecordLimits
    /// Cells of a sound record; nil where nothing is known of it, and nothing said of a record of several lines.
    let columns: Int?

    /// The same with other limits, for who takes records of several lines as they are.
    init(_ parser: CSVParser, limits: RecordLimits) {
        (delimiter, quote, self.limits, columns) = (parser.delimiter, parser.quote, limits, nil)
    }

    package init(dialect: Dialect, limits: RecordLimits = .standard, columns: Int? = nil) {
        delimiter = dialect.delimiter
        quote = dialect.quote ?? dialect.delimiter
        self.limits = limits
        self.columns = columns
    }

    /// Finds the whole records at the head of some bytes.
    ///
    /// - Parameters:
    ///   - bytes: Fewer than 2 GiB, beginning with a record.
    ///   - isFinal: Whether the input ends with them.
    ///   - textOffset: Added to the offsets of cells: where in an arena the bytes are going to be.
    ///   - maxRecords: Stops after so many records.
    ///   - maxBytes: Stops after the record that reaches this offset.
    package func parse(
        _ bytes: UnsafeRawBufferPointer, isFinal: Bool, textOffset: Int = 0,
        maxRecords: Int = .max, maxBytes: Int = .max, into run: inout ParsedRecords
    ) -> Ending {
        run.removeAll()
        guard let head = bytes.baseAddress, bytes.count < Int(Int32.max) else {
            return isFinal ? .end : .needsInput
        }
        let text = head.assumingMemoryBound(to: UInt8.self)
        let count = bytes.count
        var record = PartialRecord(start: 0, firstCell: 0, firstRewrite: 0)
        var spent = 0  // ends before this offset have been dealt with
        run.fields.start()

        scan: for stretch in stride(from: 0, to: count, by: FieldBoundaries.stretchBytes) {
            run.fields.scan(
                text, from: stretch, count: min(count - stretch, FieldBoundaries.stretchBytes), self)
            run.reserve(cellsAfter: slot(record))
            // The LF of a CRLF ends no field: among such, cells are made record by record.
            let isOneStroke = !run.fields.hasAdjoiningLineEnds && spent <= stretch
            if isOneStroke { put(0..<run.fields.count, textOffset, record, run) }
            var first = 0  // fields before this one have their cells
            for note in run.fields.notes {
                let index = Int(note)
                let flags = run.fields.flags(of: index)
                if flags & (SCAN_DOUBLED | SCAN_IRREGULAR) != 0 {
                    let column = record.columns &+ index &- first
                    take(flags, of: run.fields[index], column: column, text, &record, &run)
                }
                guard flags & SCAN_RECORD != 0 else { continue }
                let end = run.fields.end(of: index)
                if end < spent {
                    // The LF of a CRLF.
                    first = index &+ 1
                    continue
                }
                var next = end &+ 1
                if text[end] == UInt8(ascii: "\r") {
                    if next == count, !isFinal { break scan }
                    if next < count, text[next] == UInt8(ascii: "\n") {
                        next &+= 1
                        spent = next
                    }
                }
                if !isOneStroke { put(first..<index &+ 1, textOffset, record, run) }
                record.columns &+= index &+ 1 &- first
                record.take(run.fields, from: stretch, to: end)
                if let limit = finish(record, end: end, next: next, text, &run) { return limit }
                if run.marks.count >= maxRecords || next >= maxBytes { return .full }
                record = PartialRecord(
                    start: next, firstCell: run.cells.count, firstRewrite: run.rewrites.count)
                first = index &+ 1
            }
            if !isOneStroke { put(first..<run.fields.count, textOffset, record, run) }
            record.columns &+= run.fields.count &- first
            record.take(run.fields, from: stretch, to: count)
        }

        guard isFinal else {
            // With room for a line end and the byte behind it, a record that is not over is too long.
            let isOverlong = count - record.start >= limits.recordBytes + 2
            run.drop(record)
            return isOverlong ? .overlong : .needsInput
        }
        if record.start < count {
            record = putLast(run.fields.open..<count, textOffset, text, record, &run)
            if let limit = finish(record, end: count, next: count, text, &run) { return limit }
        }
        return .end
    }
}
