import CScan

/// The record that ``CSVParser`` is in the middle of.
struct OpenRecord {
    let start: Int
    let firstCell: Int
    let firstRewrite: Int
    var flags: RecordFlags = []
    /// Not 0 if a line end stands within quotes.
    var quotedLineEnds: UInt64 = 0
    /// 0 if the record holds neither NUL nor bytes above 0x7F. It may be set by a neighbour in the same 64 bytes.
    var odd: UInt64 = 0

    init(start: Int, firstCell: Int, firstRewrite: Int) {
        self.start = start
        self.firstCell = firstCell
        self.firstRewrite = firstRewrite
    }
}

/// The field that ``CSVParser`` is in the middle of.
struct OpenField {
    /// What makes a field's end more than a pair of offsets.
    struct Oddities: OptionSet {
        let rawValue: UInt8

        static let doubledQuote = Oddities(rawValue: 1 << 0)
        static let textAfterQuote = Oddities(rawValue: 1 << 1)
        static let strayQuote = Oddities(rawValue: 1 << 2)
        /// Began with `="`: the spreadsheets' way to keep digits text.
        static let formulaOpen = Oddities(rawValue: 1 << 3)
        /// And ended with the second quote: nothing stray about it.
        static let formulaClosed = Oddities(rawValue: 1 << 4)
    }

    let start: Int
    var isQuoted = false
    var oddities: Oddities = []
    /// 1 once the closing quote is met with nothing behind it.
    private var enclosing = 0

    @inline(__always)
    init(start: Int) {
        self.start = start
    }

    /// Takes note of the closing quote.
    @inline(__always)
    mutating func close(isEnclosed: Bool) {
        isQuoted = false
        if isEnclosed { enclosing = 1 } else { oddities.insert(.textAfterQuote) }
    }

    /// Takes note of a quote in a field that is not quoted, or no longer.
    mutating func meetQuote(at offset: Int, afterEquals: Bool, atEnd: Bool) {
        if oddities.contains(.textAfterQuote) { return }
        if offset == start + 1, afterEquals {
            oddities.insert(.formulaOpen)
        } else if oddities == .formulaOpen, atEnd {
            oddities.insert(.formulaClosed)
        } else {
            oddities.insert(.strayQuote)
        }
    }

    /// Where the cell's bytes are, its enclosing quotes left out. An empty cell is the absent text.
    @inline(__always)
    func text(end: Int, offset: Int) -> Text {
        // Only the end of the input leaves a field quoted.
        let leading = isQuoted ? 1 : enclosing
        let length = end - start - leading - enclosing
        return length == 0
            ? .none
            : Text(
                offset: UInt32(truncatingIfNeeded: offset + start + leading),
                length: UInt32(truncatingIfNeeded: length))
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

extension CSVParser {
    /// Deals with a field that is over and was not plain, and says what that makes of its record.
    @inline(never)
    func settle(
        _ field: OpenField, end: Int, _ cell: Int, of firstCell: Int, _ run: inout ParsedRun
    ) -> RecordFlags {
        let oddities = field.oddities
        if !oddities.isDisjoint(with: [.doubledQuote, .textAfterQuote]), cell - firstCell < limits.columns {
            run.rewrites.append(ParsedRun.Rewrite(cell: cell, field: field.start..<end))
        }
        if oddities.contains(.textAfterQuote) { return .textAfterQuote }
        return oddities.contains(.strayQuote) || oddities == .formulaOpen ? .strayQuote : []
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
        var flags: RecordFlags = bytes.contains(0) ? .nul : []
        if (try? UTF8Span(validating: bytes.span)) == nil { flags.insert(.invalidUTF8) }
        return flags
    }

    /// Physical line ends: CRLF, LF and CR are one each.
    @inline(never)
    private func countLineEnds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == UInt8(ascii: "\r") || (byte == UInt8(ascii: "\n") && previous != UInt8(ascii: "\r")) {
                count += 1
            }
            previous = byte
        }
        return count
    }
}
