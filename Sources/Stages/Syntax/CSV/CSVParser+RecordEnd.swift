import Bytes
import CScan

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
