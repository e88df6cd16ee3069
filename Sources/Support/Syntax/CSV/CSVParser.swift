import Bytes
import CScan

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Finds records and cells in bytes: RFC 4180, and the deviations found in real files.
///
/// The parser accepts any input. Nothing is malformed; there are only records with ``RecordFlags``:
/// - A field that begins with a quote is quoted. Delimiters and line ends in it are text, and a doubled quote
///   is a quote. It ends at the first single quote. Text between that and the next delimiter or line end is
///   kept (`"ab"cd` is `abcd`), and quotes in it are ordinary characters. Without a closing quote, the field
///   extends to the end of the input. (``UnclosedQuote`` handles this for callers that know the number of
///   columns.)
/// - In any other field a quote is an ordinary character: `="0439708184"`, `6" tall`.
/// - CRLF, LF and CR end a record, even mixed. The last record may lack its line end.
/// - Nothing is trimmed. Only delimiter, quote, CR and LF are special.
///
/// It is given bytes that begin with a record, and finds the complete records in them. A record depends on
/// its own bytes alone (and, after a CR, on the byte that follows), so splitting the input elsewhere changes
/// nothing. If the bytes end within a record, the caller passes that record again, with more bytes after it.
///
/// If you change this code: `ReferenceCSVParser` in the tests implements the same rules byte by byte and is the
/// reference. A scan finds where all fields of a few KiB end (``FieldBoundaries``), whatever their quotes.
/// Cells are made from those ends, many at a time. Only the ends of records remain to be visited, and the few
/// fields with more quotes than an enclosing pair. Of these, fields with doubled quotes are only noted, and
/// others are examined afterwards (``FieldQuoting``).
package struct CSVParser: Sendable {
    /// Why a call of the parser ended.
    package enum Ending: Sendable, Hashable {
        /// The rest is the beginning of a record, or empty.
        case needsInput
        /// The requested number of records or bytes was found.
        case full
        /// The next record has a field over the limit or too many cells. Its cells are dropped. Its mark is
        /// in offsets from its own beginning.
        case overLimit(ParsedRecords.Mark)
        /// The next record is over the length limit. ``OversizedRecord`` finds its end.
        case overlong
        /// The last record found has several lines and an unexpected number of cells. An ``UnclosedQuote``
        /// may have swallowed other records.
        case acrossLines
        /// All bytes of the input are consumed.
        case end
    }

    let delimiter: UInt8
    /// If quotes have no meaning, this is the delimiter. The delimiter is checked first, so no byte is ever
    /// taken for a quote.
    let quote: UInt8
    let limits: RecordLimits
    /// Number of cells of a valid record. If nil, it is unknown, and records of several lines are never
    /// doubted.
    let columns: Int?

    /// The same parser with other limits, which accepts records of several lines.
    init(_ parser: CSVParser, limits: RecordLimits) {
        (delimiter, quote, self.limits, columns) = (parser.delimiter, parser.quote, limits, nil)
    }

    package init(dialect: Dialect, limits: RecordLimits = .standard, columns: Int? = nil) {
        delimiter = dialect.delimiter
        quote = dialect.quote ?? dialect.delimiter
        self.limits = limits
        self.columns = columns
    }

    /// Finds the complete records at the beginning of the bytes.
    ///
    /// - Parameters:
    ///   - bytes: Fewer than 2 GiB, beginning with a record.
    ///   - isFinal: Whether the input ends with them.
    ///   - textOffset: Added to the offsets of cells: where the bytes will be in an arena.
    ///   - maxRecords: Stops after this many records.
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
        var spent = 0  // ends before this offset have been handled
        run.fields.start()

        scan: for stretch in stride(from: 0, to: count, by: FieldBoundaries.stretchBytes) {
            run.fields.scan(
                text, from: stretch, count: min(count - stretch, FieldBoundaries.stretchBytes), self)
            run.reserve(cellsAfter: slot(record))
            // The LF of a CRLF ends no field. If the stretch has any, cells are made record by record.
            let writesAllCells = !run.fields.hasAdjoiningLineEnds && spent <= stretch
            if writesAllCells { put(0..<run.fields.count, textOffset, record, run) }
            var first = 0  // fields before this one already have cells
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
                if !writesAllCells { put(first..<index &+ 1, textOffset, record, run) }
                record.columns &+= index &+ 1 &- first
                record.take(run.fields, from: stretch, to: end)
                if let limit = finish(record, end: end, next: next, text, &run) { return limit }
                if run.marks.count >= maxRecords || next >= maxBytes { return .full }
                record = PartialRecord(
                    start: next, firstCell: run.cells.count, firstRewrite: run.rewrites.count)
                first = index &+ 1
            }
            if !writesAllCells { put(first..<run.fields.count, textOffset, record, run) }
            record.columns &+= run.fields.count &- first
            record.take(run.fields, from: stretch, to: count)
        }

        guard isFinal else {
            // A record that is still open after its maximum length, its line end and one more byte is too
            // long.
            let isOverlong = count - record.start >= limits.recordBytes + 2
            run.drop(record)
            return isOverlong ? .overlong : .needsInput
        }
        if record.start < count {
            record = moveLast(run.fields.open..<count, textOffset, text, record, &run)
            if let limit = finish(record, end: count, next: count, text, &run) { return limit }
        }
        return .end
    }
}

extension CSVParser {
    /// Slot of a record's next cells. Cells beyond the limit are never used, so they share one slot.
    @inline(__always)
    func slot(_ record: PartialRecord) -> Int { record.firstCell &+ min(record.columns, limits.columns) }

    /// Makes the cells of a record's fields and of the fields after it.
    @inline(__always)
    func put(_ fields: Range<Int>, _ textOffset: Int, _ record: PartialRecord, _ run: borrowing ParsedRecords)
    {
        run.fields.write(fields, textOffset: textOffset, to: run.cellList.storage + slot(record))
    }

    /// Makes the cell of the field that is ended by the end of the input.
    func moveLast(
        _ field: Range<Int>, _ textOffset: Int, _ text: UnsafePointer<UInt8>, _ record: PartialRecord,
        _ run: inout ParsedRecords
    ) -> PartialRecord {
        var record = record
        let quoting = quoting(of: field, text)
        take(quoting, of: field, column: record.columns, &record, &run)
        let start = textOffset + field.lowerBound + quoting.text.lowerBound
        run.cellList.storage[slot(record)] =
            quoting.text.isEmpty
            ? .none
            : Text(offset: UInt32(truncatingIfNeeded: start), length: UInt32(quoting.text.count))
        record.columns += 1
        return record
    }

    /// Handles the flags of a field.
    @inline(__always)
    func take(
        _ flags: Int32, of field: Range<Int>, column: Int, _ text: UnsafePointer<UInt8>,
        _ record: inout PartialRecord, _ run: inout ParsedRecords
    ) {
        if flags & SCAN_IRREGULAR != 0 {
            take(quoting(of: field, text), of: field, column: column, &record, &run)
        } else {
            rewrite(field, column: column, record, &run)
        }
    }

    /// Handles the quoting of a field that was examined.
    @inline(__always)
    private func take(
        _ quoting: FieldQuoting, of field: Range<Int>, column: Int, _ record: inout PartialRecord,
        _ run: inout ParsedRecords
    ) {
        record.flags.formUnion(quoting.flags)
        if quoting.isRewritten { rewrite(field, column: column, record, &run) }
    }

    /// Notes that a field's cell must be rewritten.
    @inline(__always)
    private func rewrite(
        _ field: Range<Int>, column: Int, _ record: PartialRecord, _ run: inout ParsedRecords
    ) {
        if column < limits.columns {
            run.rewriteList.append(ParsedRecords.Rewrite(cell: record.firstCell &+ column, field: field))
        }
    }

    /// Examines the quotes of a field. It is not inlined and gets nothing of the record; otherwise the record
    /// would be kept in memory instead of in registers.
    @inline(never)
    private func quoting(of field: Range<Int>, _ text: UnsafePointer<UInt8>) -> FieldQuoting {
        FieldQuoting(
            of: UnsafeBufferPointer(start: text + field.lowerBound, count: field.count), quote: quote)
    }

    /// Adds a complete record to the run, or returns the limit it exceeds.
    @inline(__always)
    func finish(
        _ record: PartialRecord, end: Int, next: Int, _ text: UnsafePointer<UInt8>, _ run: inout ParsedRecords
    ) -> Ending? {
        let length = end &- record.start
        let columns = record.columns
        var mark = ParsedRecords.Mark(
            end: end, next: next, cellsEnd: record.firstCell &+ columns, lineEnds: next == end ? 0 : 1,
            flags: record.flags, isBlank: false)
        // One branch for all rare cases. A record of only empty fields is at most `"","",""`.
        if !record.odd.isEmpty || !record.quotedLineEnds.isEmpty || length < 3 &* columns
            || length > limits.fieldBytes || length > limits.recordBytes || columns > limits.columns
        {
            if let ending = lookClosely(at: record, &mark, text, &run) { return ending }
        }
        run.take(mark)
        return nil
    }

    /// Completes the mark of an unusual record. If it exceeds a limit, drops the record and returns the
    /// limit. Also reports a record of several lines with an unexpected number of cells.
    @inline(never)
    private func lookClosely(
        at record: PartialRecord, _ mark: inout ParsedRecords.Mark, _ text: UnsafePointer<UInt8>,
        _ run: inout ParsedRecords
    ) -> Ending? {
        let bytes = record.start..<mark.end
        guard bytes.count <= limits.recordBytes else {
            run.drop(record)
            return .overlong
        }
        if !record.odd.isEmpty { mark.flags.formUnion(inspect(record.odd.bytes(of: bytes, in: text))) }
        if !record.quotedLineEnds.isEmpty {
            mark.lineEnds += countLineEnds(record.quotedLineEnds.bytes(of: bytes, in: text))
        }
        let cells = UnsafeBufferPointer(start: run.cellList.storage + record.firstCell, count: record.columns)
        if record.columns > limits.columns {
            mark.flags.insert(.columnsOverLimit)
        } else if bytes.count > limits.fieldBytes, cells.contains(where: { $0.length > limits.fieldBytes }) {
            mark.flags.insert(.fieldOverLimit)
        }
        guard mark.flags.isDisjoint(with: .overLimit) else {
            run.drop(record)
            mark.end -= record.start
            mark.next -= record.start
            mark.cellsEnd = 0
            return .overLimit(mark)
        }
        mark.isBlank = bytes.count < 3 * record.columns && cells.allSatisfy(\.isEmpty)
        guard let columns, record.columns != columns, mark.spansLines,
            !mark.flags.contains(.unterminatedQuote)
        else { return nil }
        run.take(mark)
        return .acrossLines
    }

    /// Checks the bytes of a record for NULs and invalid UTF-8.
    private func inspect(_ bytes: UnsafeBufferPointer<UInt8>) -> RecordFlags {
        var flags: RecordFlags = []
        guard let start = bytes.baseAddress else { return flags }
        if scan_zero(start, bytes.count) != 0 { flags.insert(.nul) }
        if (try? UTF8Span(validating: bytes.betweenASCII.span)) == nil { flags.insert(.invalidUTF8) }
        return flags
    }

    /// Number of line ends within a record.
    func countLineEnds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.baseAddress.map { scan_line_ends($0, bytes.count) } ?? 0
    }
}

extension ParsedRecords {
    /// Adds a complete record.
    @inline(__always)
    mutating func take(_ mark: Mark) {
        markList.append(mark)
        cellList.count = mark.cellsEnd
        consumed = mark.next
    }

    /// Drops an incomplete record and ends the run before it.
    mutating func drop(_ record: PartialRecord) {
        cellList.count = record.firstCell
        rewriteList.count = record.firstRewrite
        consumed = record.start
    }
}

extension CSVParser {
    /// Writes the value of a quoted field: without its enclosing quotes, with doubled quotes once, and with
    /// any text after the closing quote.
    ///
    /// - Parameters:
    ///   - field: The field as written in the file, beginning with its quote.
    ///   - output: At least as long as the field.
    /// - Returns: The number of bytes written.
    package func unquote(_ field: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = field.baseAddress else { return 0 }
        var at = 1
        var end = 0
        // Copies from quote to quote in one step: reviews with markup have a pair of quotes every few words.
        while at < field.count, let found = memchr(start + at, Int32(quote), field.count - at) {
            let next = UnsafeRawPointer(found) - start
            let isDoubled = next + 1 < field.count && field[next + 1] == quote
            end += copy(field, at..<(isDoubled ? next + 1 : next), to: output, at: end)
            at = isDoubled ? next + 2 : next + 1
            if !isDoubled { break }
        }
        // After the closing quote, the rest is plain text.
        return end + copy(field, at..<max(at, field.count), to: output, at: end)
    }

    @inline(__always)
    private func copy(
        _ field: UnsafeRawBufferPointer, _ range: Range<Int>, to output: UnsafeMutableRawBufferPointer,
        at end: Int
    ) -> Int {
        UnsafeMutableRawBufferPointer(rebasing: output[end...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: field[range]))
        return range.count
    }
}
