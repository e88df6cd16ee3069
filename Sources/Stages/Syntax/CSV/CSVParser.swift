import Bytes
import CScan

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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

extension CSVParser {
    /// Where a record's next cells go. Those beyond the limit are seen by nobody: they all go to one place.
    @inline(__always)
    func slot(_ record: PartialRecord) -> Int { record.firstCell &+ min(record.columns, limits.columns) }

    /// Makes cells of fields of a record, and of those behind it.
    @inline(__always)
    func put(_ fields: Range<Int>, _ textOffset: Int, _ record: PartialRecord, _ run: borrowing ParsedRecords)
    {
        run.fields.write(fields, textOffset: textOffset, to: run.cellList.storage + slot(record))
    }

    /// Makes a cell of the field that only the end of the input ends.
    func putLast(
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

    /// Takes in what a note says of a field.
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

    /// Takes in what a close look at a field has shown.
    @inline(__always)
    private func take(
        _ quoting: FieldQuoting, of field: Range<Int>, column: Int, _ record: inout PartialRecord,
        _ run: inout ParsedRecords
    ) {
        record.flags.formUnion(quoting.flags)
        if quoting.isRewritten { rewrite(field, column: column, record, &run) }
    }

    /// Remembers that a field's cell has to be written anew.
    @inline(__always)
    private func rewrite(
        _ field: Range<Int>, column: Int, _ record: PartialRecord, _ run: inout ParsedRecords
    ) {
        if column < limits.columns {
            run.rewriteList.append(ParsedRecords.Rewrite(cell: record.firstCell &+ column, field: field))
        }
    }

    /// A close look at the quotes of a field. Out of line, and given nothing of the record, or that would lie
    /// in memory throughout instead of in registers.
    @inline(never)
    private func quoting(of field: Range<Int>, _ text: UnsafePointer<UInt8>) -> FieldQuoting {
        FieldQuoting(
            of: UnsafeBufferPointer(start: text + field.lowerBound, count: field.count), quote: quote)
    }

    /// Adds a record that is over to the run, or says which limit it breaks.
    @inline(__always)
    func finish(
        _ record: PartialRecord, end: Int, next: Int, _ text: UnsafePointer<UInt8>, _ run: inout ParsedRecords
    ) -> Ending? {
        let length = end &- record.start
        let columns = record.columns
        var mark = ParsedRecords.Mark(
            end: end, next: next, cellsEnd: record.firstCell &+ columns, lineEnds: next == end ? 0 : 1,
            flags: record.flags, isBlank: false)
        // One branch for all that is seldom. A record of nothing but empty fields is at most `"","",""`.
        if !record.odd.isEmpty || !record.quotedLineEnds.isEmpty || length < 3 &* columns
            || length > limits.fieldBytes || length > limits.recordBytes || columns > limits.columns
        {
            if let ending = lookClosely(at: record, &mark, text, &run) { return ending }
        }
        run.take(mark)
        return nil
    }

    /// Completes the mark of a record that is out of the ordinary, or takes the record back and says which
    /// limit it breaks; says so, too, where a record of several lines has not as many cells as it should.
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

    /// Looks closely at the bytes of a record.
    private func inspect(_ bytes: UnsafeBufferPointer<UInt8>) -> RecordFlags {
        var flags: RecordFlags = []
        guard let start = bytes.baseAddress else { return flags }
        if scan_zero(start, bytes.count) != 0 { flags.insert(.nul) }
        if (try? UTF8Span(validating: bytes.betweenASCII.span)) == nil { flags.insert(.invalidUTF8) }
        return flags
    }

    /// Physical line ends within a record.
    func countLineEnds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.baseAddress.map { scan_line_ends($0, bytes.count) } ?? 0
    }
}

extension ParsedRecords {
    /// Adds a record that is over.
    @inline(__always)
    mutating func take(_ mark: Mark) {
        markList.append(mark)
        cellList.count = mark.cellsEnd
        consumed = mark.next
    }

    /// Takes back what was noted of a record that is not over, and ends the run before it.
    mutating func drop(_ record: PartialRecord) {
        cellList.count = record.firstCell
        rewriteList.count = record.firstRewrite
        consumed = record.start
    }
}

extension CSVParser {
    /// Writes what a quoted field means: without its quotes, doubled ones once, text after the closing
    /// quote kept.
    ///
    /// - Parameters:
    ///   - field: The field as it stands in the file, beginning with its quote.
    ///   - output: At least as long as the field.
    /// - Returns: Bytes written.
    package func unquote(_ field: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = field.baseAddress else { return 0 }
        var at = 1
        var end = 0
        // From quote to quote in one stroke each: marked-up reviews have a pair of them every few words.
        while at < field.count, let found = memchr(start + at, Int32(quote), field.count - at) {
            let next = UnsafeRawPointer(found) - start
            let isDoubled = next + 1 < field.count && field[next + 1] == quote
            end += copy(field, at..<(isDoubled ? next + 1 : next), to: output, at: end)
            at = isDoubled ? next + 2 : next + 1
            if !isDoubled { break }
        }
        // The closing quote is behind us: what is left stands for itself.
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
