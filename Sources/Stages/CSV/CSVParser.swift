import CScan

/// Finds records and cells in bytes: RFC 4180, and what people really have.
///
/// The parser is total. There is no malformed input, only records with ``RecordFlags``:
/// - A field that begins with a quote is quoted: delimiters and line ends in it are text, a doubled quote is
///   a quote. It ends at the first single quote; text between that and the next delimiter or line end is kept
///   (`"ab"cd` is `abcd`), quotes in it standing for themselves. Without an end it runs to the end of the
///   input.
/// - In any other field a quote is a character like any other: `="0439708184"`, `6" tall`.
/// - CRLF, LF and CR end a record, mixed as they come. The last one may lack its line end.
/// - Nothing is trimmed, no byte is special but delimiter, quote, CR and LF.
///
/// It looks at a stretch of bytes that begins with a record and finds the whole records in it. What a record
/// is depends on its own bytes alone (and, after a CR, the one behind), so cutting the input elsewhere
/// changes nothing. If the stretch ends within a record, that record waits: the caller shows it again with
/// more behind it.
///
/// For whoever edits this: `CSVTwin` in the tests says the same byte by byte and is the judge. The loop takes
/// 64 bytes at a time as masks and visits only bytes that mean something: within quotes the quotes, elsewhere
/// delimiters, quotes and line ends. All that happens once a record or seldom stays out of the loop over
/// cells.
package struct CSVParser: Sendable {
    /// Why a look at some bytes ended.
    package enum Ending: Sendable, Hashable {
        /// The rest is the beginning of a record, or nothing.
        case needsInput
        /// There are as many records or bytes as were asked for.
        case full
        /// The next record has too long a field or too many cells, which are dropped. It ends as the mark
        /// says, in offsets from its own beginning.
        case overLimit(ParsedRun.Mark)
        /// The next record is longer than any may be: ``OverlongRecord`` finds its end.
        case overlong
        /// All bytes were the input's last and are consumed.
        case end
    }

    let delimiter: UInt8
    /// The delimiter where quotes have no meaning: it is asked for first, so no byte is ever taken for a
    /// quote.
    let quote: UInt8
    let limits: RecordLimits

    package init(dialect: Dialect, limits: RecordLimits = .standard) {
        delimiter = dialect.delimiter
        quote = dialect.quote ?? dialect.delimiter
        self.limits = limits
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
        maxRecords: Int = .max, maxBytes: Int = .max, into run: inout ParsedRun
    ) -> Ending {
        run.removeAll()
        guard let head = bytes.baseAddress, bytes.count < Int(Int32.max) else {
            return isFinal ? .end : .needsInput
        }
        let text = head.assumingMemoryBound(to: UInt8.self)
        let count = bytes.count
        let room = limits.columns + 2
        run.reserveCells(room, after: 0)

        var record = OpenRecord(start: 0, firstCell: 0, firstRewrite: 0)
        var field = OpenField(start: 0)
        var slot = run.cellStorage  // where the next cell goes
        var lastSlot = slot + (room - 1)  // cells beyond the limit all go here: nobody will see them
        var block = 0
        var spent = 0  // structural bytes before this one have been dealt with

        scan: while block < count {
            let masks =
                block + 64 <= count
                ? scan_csv(text + block, delimiter, quote)
                : scan_csv_tail(text + block, count - block, delimiter, quote)
            record.odd |= masks.odd
            // Bytes of the block that are quoted if the open field is.
            var quoted = UInt64.bits(from: spent - block)
            var pending = (field.isQuoted ? masks.quotes : masks.structural) & quoted

            while pending != 0 {
                let bit = pending.trailingZeroBitCount
                let at = block &+ bit
                let byte = text[at]
                pending &= pending &- 1

                if byte == delimiter {
                    put(field, end: at, textOffset, slot, &record, &run)
                    slot = min(slot + 1, lastSlot)
                    field = OpenField(start: at &+ 1)
                } else if byte == quote, field.isQuoted {
                    // Half of a doubled quote, or the closing one.
                    if at + 1 < count, text[at + 1] == quote {
                        field.shape.insert(.doubledQuote)
                        spent = at + 2
                        pending &= pending &- 1
                        continue
                    }
                    if at + 1 == count, !isFinal { break scan }
                    record.quotedLineEnds |= masks.line_ends & quoted & ~UInt64.bits(from: bit)
                    field.close(isEnclosed: at + 1 == count || endsField(text[at + 1]))
                    pending = masks.structural & .bits(from: bit + 1)
                } else if byte == quote {
                    if at == field.start {
                        field.shape = .quoted
                        quoted = .bits(from: bit + 1)
                        pending = masks.quotes & quoted
                    } else {
                        field.meetQuote(
                            at: at, afterEquals: text[field.start] == UInt8(ascii: "="),
                            atEnd: at + 1 == count || endsField(text[at + 1]))
                    }
                } else {
                    var next = at + 1
                    if byte == UInt8(ascii: "\r") {
                        if next == count, !isFinal { break scan }
                        if next < count, text[next] == UInt8(ascii: "\n") {
                            next += 1
                            spent = next
                            pending &= pending &- 1
                        }
                    }
                    put(field, end: at, textOffset, slot, &record, &run)
                    let cell = run.cellStorage.distance(to: slot) + 1
                    if let limit = finish(record, end: at, next: next, cellsEnd: cell, text, &run) {
                        return limit
                    }
                    if run.marks.count >= maxRecords || next >= maxBytes { return .full }
                    run.reserveCells(room, after: cell)
                    slot = run.cellStorage + cell
                    lastSlot = slot + (room - 1)
                    record = OpenRecord(start: next, firstCell: cell, firstRewrite: run.rewrites.count)
                    record.odd = masks.odd & .bits(from: next - block)
                    field = OpenField(start: next)
                }
            }
            if field.isQuoted { record.quotedLineEnds |= masks.line_ends & quoted }
            block += 64
        }

        guard isFinal else {
            // With room for a line end and the byte behind it, a record that is not over is too long.
            let isOverlong = count - record.start >= limits.recordBytes + 2
            run.drop(record)
            return isOverlong ? .overlong : .needsInput
        }
        if record.start < count {
            put(field, end: count, textOffset, slot, &record, &run)
            let cell = run.cellStorage.distance(to: slot) + 1
            if let limit = finish(record, end: count, next: count, cellsEnd: cell, text, &run) {
                return limit
            }
        }
        return .end
    }

    /// Whether a byte ends a field.
    @inline(__always)
    private func endsField(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension UInt64 {
    /// The bits from one on, up to the last; all of them from below the first, none from beyond the last.
    @inline(__always)
    static func bits(from first: Int) -> UInt64 { first >= 64 ? 0 : ~0 &<< UInt64(Swift.max(0, first)) }
}
