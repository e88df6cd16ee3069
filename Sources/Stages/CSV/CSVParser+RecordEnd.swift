import CScan

extension CSVParser {
    /// Puts a field that is over into its slot among the cells.
    @inline(__always)
    func put(
        _ field: OpenField, end: Int, _ offset: Int, _ slot: UnsafeMutablePointer<Text>,
        _ record: inout OpenRecord, _ run: inout ParsedRun
    ) {
        slot.pointee = field.text(end: end, offset: offset)
        if !field.isPlain {
            let cell = run.cellStorage.distance(to: slot)
            record.flags.formUnion(settle(field, end: end, cell, of: record.firstCell, &run))
        }
    }

    /// Deals with a field that was not plain, and says what that makes of its record.
    @inline(never)
    private func settle(
        _ field: OpenField, end: Int, _ cell: Int, of firstCell: Int, _ run: inout ParsedRun
    ) -> RecordFlags {
        let shape = field.shape
        if !shape.isDisjoint(with: [.doubledQuote, .textAfterQuote]), cell - firstCell < limits.columns {
            run.rewrites.append(ParsedRun.Rewrite(cell: cell, field: field.start..<end))
        }
        if shape.contains(.quoted) { return .unterminatedQuote }
        if shape.contains(.textAfterQuote) { return .textAfterQuote }
        return shape.contains(.strayQuote) || shape == .formulaOpen ? .strayQuote : []
    }

    /// Adds a record that is over to the run, or says which limit it breaks.
    @inline(__always)
    func finish(
        _ record: OpenRecord, end: Int, next: Int, cellsEnd: Int, _ text: UnsafePointer<UInt8>,
        _ run: inout ParsedRun
    ) -> Ending? {
        let length = end - record.start
        let columns = cellsEnd - record.firstCell
        var lineEnds = next == end ? 0 : 1
        var flags = record.flags
        var isBlank = false
        // One branch for all that is seldom. A record of nothing but empty fields is at most `"","",""`.
        if record.odd != 0 || record.quotedLineEnds != 0 || length < 3 * columns
            || length > limits.fieldBytes || length > limits.recordBytes || columns > limits.columns
        {
            if length > limits.recordBytes {
                run.drop(record)
                return .overlong
            }
            let bytes = UnsafeBufferPointer(start: text + record.start, count: length)
            if record.odd != 0 { flags.formUnion(inspect(bytes)) }
            if record.quotedLineEnds != 0 { lineEnds += countLineEnds(bytes) }
            let cells = UnsafeBufferPointer(start: run.cellStorage + record.firstCell, count: columns)
            if columns > limits.columns {
                flags.insert(.columnsOverLimit)
            } else if length > limits.fieldBytes, cells.contains(where: { $0.length > limits.fieldBytes }) {
                flags.insert(.fieldOverLimit)
            }
            if !flags.isDisjoint(with: .overLimit) {
                run.drop(record)
                return .overLimit(
                    ParsedRun.Mark(
                        end: length, next: next - record.start, cellsEnd: 0, lineEnds: lineEnds,
                        flags: flags, isBlank: false))
            }
            isBlank = length < 3 * columns && cells.allSatisfy(\.isEmpty)
        }
        run.marks.append(
            ParsedRun.Mark(
                end: end, next: next, cellsEnd: cellsEnd, lineEnds: lineEnds, flags: flags,
                isBlank: isBlank))
        run.cellCount = cellsEnd
        run.consumed = next
        return nil
    }

    /// Looks closely at the bytes of a record.
    @inline(never)
    private func inspect(_ bytes: UnsafeBufferPointer<UInt8>) -> RecordFlags {
        var flags: RecordFlags = []
        if let start = bytes.baseAddress, scan_zero(start, bytes.count) != 0 { flags.insert(.nul) }
        if (try? UTF8Span(validating: bytes.span)) == nil { flags.insert(.invalidUTF8) }
        return flags
    }

    /// Physical line ends within a record.
    @inline(never)
    private func countLineEnds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.baseAddress.map { scan_line_ends($0, bytes.count) } ?? 0
    }
}

extension ParsedRun {
    /// Takes back what was noted of a record that is not over, and ends the run before it.
    mutating func drop(_ record: OpenRecord) {
        cellCount = record.firstCell
        rewrites.removeLast(rewrites.count - record.firstRewrite)
        consumed = record.start
    }
}
