package import Bytes
package import System

/// Reads a CSV file record by record into a batch's arena, in bounded memory.
///
/// The bytes of consecutive records are copied at once, and cells point into the copy. Only a cell whose
/// value differs from its bytes (`"a ""b"" c"`) is rewritten, after the records.
package struct RecordReader: RecordStream, ~Copyable {
    /// The position after the last record returned, where a later reader resumes. The offset is that of the
    /// bytes on disk.
    package private(set) var position: Position

    private let encoding: TextEncoding
    let parser: CSVParser
    var window: InputWindow
    package var run = ParsedRecords()
    var search: UnclosedQuoteSearch
    /// Raised to cancel a search far ahead.
    let stop: StopSignal?
    private var rewritten = ByteStack()

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - fileIndex: Index of the file among the inputs of the run.
    ///   - start: Start position: the start of the file (a byte order mark is skipped), or a ``position`` of
    ///     an earlier reader of the same file.
    /// - Throws: `missing` if there is no such file, `unusableInput` for a pipe or device, `permission` or `inputOutput`
    ///   if it cannot be read.
    package init(
        file path: String, fileIndex: Int = 0, dialect: Dialect, encoding: TextEncoding,
        limits: RecordLimits = .standard, from start: Position = .start
    ) throws(ETLError) {
        try self.init(
            FileBytes(path: path, from: start.byte), fileIndex: fileIndex, dialect: dialect,
            encoding: encoding,
            limits: limits, from: start)
    }

    /// Reads any other source of bytes. Its first byte is the one at `start`.
    ///
    /// - Parameters:
    ///   - columns: Number of cells of a valid record, needed to find an ``UnclosedQuote``. If nil, none is
    ///     searched for.
    ///   - stop: If it is raised, a search far ahead ends with a failure.
    ///   - blockBytes: Bytes to examine at a time. More are held if a record needs them.
    package init(
        _ source: any ByteSource, fileIndex: Int = 0, dialect: Dialect, encoding: TextEncoding,
        limits: RecordLimits = .standard, from start: Position = .start, columns: Int? = nil,
        stop: StopSignal? = nil, blockBytes: Int? = nil
    ) throws(ETLError) {
        self.encoding = encoding
        self.stop = stop
        var source = source
        // In other encodings a backslash may be the second byte of a character.
        if dialect.escapesQuotes, let quote = dialect.quote, encoding == .utf8 || encoding.isSingleByte {
            source = BackslashQuotes(source, quote: quote)
        }
        parser = CSVParser(dialect: dialect, limits: limits, columns: columns)
        search = UnclosedQuoteSearch(parser, columns: columns)
        window = InputWindow(source, encoding: encoding, blockBytes: blockBytes ?? InputWindow.blockBytes)
        position = start
        position.file = fileIndex
        if start.byte == 0 { try skipByteOrderMark() }
    }

    /// Bytes of input held in memory: one block, more after a long record, at most twice the longest record
    /// that is parsed.
    package var heldBytes: Int { window.capacity }

    /// Reads the next records and appends them, their cells and their bytes.
    ///
    /// - Parameters:
    ///   - arena: Gets the records' bytes.
    ///   - cells: Gets the records' cells, record after record.
    ///   - maxRecords: Stops after this many records, at least 1.
    ///   - maxBytes: Stops after the record with which the records' bytes reach this many.
    /// - Returns: False at the end of the input, when nothing was appended.
    /// - Throws: `inputOutput` if the file cannot be read.
    package mutating func fill(
        arena: inout Arena, cells: inout [Text], records: inout [Record], maxRecords: Int, maxBytes: Int
    ) throws(ETLError) -> Bool {
        let recordsEnd = records.count + min(max(1, maxRecords), Int(Int32.max))
        let firstRecord = records.count
        var bytesLeft = maxBytes
        while records.count < recordsEnd, bytesLeft > 0 || records.count == firstRecord {
            let ending = parser.parse(
                window.bytes, isFinal: window.isAtEnd, textOffset: arena.byteCount,
                maxRecords: recordsEnd - records.count, maxBytes: bytesLeft, into: &run)
            let quote = try removeUnclosedQuote(ending)
            bytesLeft -= run.consumed
            appendRun(&arena, &cells, &records)
            let record: Record
            switch ending {
            case .needsInput:
                try window.refill()
                continue
            case .full: return true
            case .acrossLines:
                guard let quote else { continue }
                record = recordWithoutCells(quote.mark, &arena)
            case .overLimit(let mark):
                record = recordWithoutCells(try unclosedQuote(of: mark)?.mark ?? mark, &arena)
            case .overlong:
                let quote = try unclosedQuoteOfLongRecord()
                record =
                    if let quote { recordWithoutCells(quote.mark, &arena) } else {
                        try oversizedRecord(&arena)
                    }
            case .end:
                guard let quote else { return records.count > firstRecord }
                record = recordWithoutCells(quote.mark, &arena)
            }
            records.append(record)
            bytesLeft -= record.rawLength
        }
        return true
    }

    /// Appends the run to the caller's arrays.
    private mutating func appendRun(_ arena: inout Arena, _ cells: inout [Text], _ records: inout [Record]) {
        guard run.consumed > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<run.consumed])
        let offset = arena.append(bytes).offset
        let firstCell = cells.count
        cells.append(contentsOf: run.cells)
        var start = 0
        var cell = firstCell
        for mark in run.marks {
            let length = mark.end - start
            var record = Record(
                position: position,
                raw: length == 0 ? .none : Text(offset: offset + UInt32(start), length: UInt32(length)),
                cells: cell..<firstCell + mark.cellsEnd, flags: mark.flags, rawLength: length,
                isBlank: mark.isBlank)
            record.endsFile = mark.next == mark.end
            record.spansLines = mark.spansLines
            records.append(record)
            position.byte += Int64(diskLength(bytes, start..<mark.next))
            position.line += mark.lineEnds
            position.record += 1
            start = mark.next
            cell = firstCell + mark.cellsEnd
        }
        rewrite(bytes, &arena, &cells, firstCell)
        window.consume(run.consumed)
    }

    /// Rewrites the cells that have doubled quotes or continue after their closing quote.
    private mutating func rewrite(
        _ bytes: UnsafeRawBufferPointer, _ arena: inout Arena, _ cells: inout [Text], _ firstCell: Int
    ) {
        guard !run.rewrites.isEmpty else { return }
        rewritten.removeAll(reserving: run.consumed)
        let offset = arena.byteCount
        for rewrite in run.rewrites {
            let start = rewritten.count
            let field = UnsafeRawBufferPointer(rebasing: bytes[rewrite.field])
            rewritten.push { parser.unquote(field, into: $0) }
            cells[firstCell + rewrite.cell] = Text(
                offset: UInt32(offset + start), length: UInt32(rewritten.count - start))
        }
        _ = arena.append(rewritten.bytes)
    }

    /// Takes a record whose end is known but which has no usable cells.
    private mutating func recordWithoutCells(_ mark: ParsedRecords.Mark, _ arena: inout Arena) -> Record {
        let kept = min(mark.end, Reject.keptBytes)
        let raw = arena.append(UnsafeRawBufferPointer(rebasing: window.bytes[..<kept]))
        let record = Record(
            position: position, raw: raw, cells: 0..<0, flags: mark.flags, rawLength: mark.end, isBlank: false
        )
        advance(mark.next)
        position.line += mark.lineEnds
        position.record += 1
        return record
    }

    /// Takes a record that is too long to be held in memory.
    private mutating func oversizedRecord(_ arena: inout Arena) throws(ETLError) -> Record {
        var record = Record(
            position: position, raw: .none, cells: 0..<0, flags: [], rawLength: 0, isBlank: false)
        var overlong = OversizedRecord(parser)
        while !overlong.isOver {
            let bytes = window.bytes
            let before = overlong.length
            let taken = overlong.take(bytes, isFinal: window.isAtEnd)
            let kept = min(overlong.length, Reject.keptBytes) - min(before, Reject.keptBytes)
            let text = arena.append(UnsafeRawBufferPointer(rebasing: bytes[..<kept]))
            record.raw = Text(
                offset: before == 0 ? text.offset : record.raw.offset,
                length: record.raw.length + UInt32(kept))
            advance(taken)
            try continueRecord(with: &overlong)
        }
        record.flags = overlong.flags
        record.rawLength = overlong.length
        position.line += overlong.lineEnds
        position.record += 1
        return record
    }

    /// Drops bytes from the beginning of the window.
    private mutating func advance(_ count: Int) {
        position.byte += Int64(diskLength(window.bytes, 0..<count))
        window.consume(count)
    }

    @inline(__always)
    private func diskLength(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        encoding == .utf8 ? range.count : encoding.length(onDiskOf: bytes, range)
    }

    /// A byte order mark is U+FEFF in any encoding that has one. The window shows it as UTF-8.
    private mutating func skipByteOrderMark() throws(ETLError) {
        let mark = encoding.byteOrderMarkAsRead
        while window.bytes.count < mark.count, !window.isAtEnd { try window.refill() }
        if window.bytes.starts(with: mark) { advance(mark.count) }
    }
}

extension RecordReader {
    /// Removes the last record from the run if an unclosed quote has swallowed what follows it. After the
    /// rest of the run is appended, that record is at the beginning of the window. The run consists of
    /// offsets, because more of the window may have been read.
    mutating func removeUnclosedQuote(_ ending: CSVParser.Ending) throws(ETLError) -> UnclosedQuote? {
        guard let last = run.marks.last else { return nil }
        switch ending {
        case .acrossLines: break
        case .end where last.flags.contains(.unterminatedQuote) && last.lineEnds > 0: break
        default: return nil
        }
        let quote = try unclosedQuote(from: run.marks.dropLast().last?.next ?? 0, to: last.end)
        if quote != nil { run.dropLast() }
        return quote
    }

    /// The unclosed quote of an over-limit record at the beginning of the window, if that is why it is over
    /// the limit.
    mutating func unclosedQuote(of mark: ParsedRecords.Mark) throws(ETLError) -> UnclosedQuote? {
        mark.spansLines ? try unclosedQuote(from: 0, to: mark.end) : nil
    }

    /// The unclosed quote of the record that begins at an offset of the window.
    ///
    /// - Parameter end: Where it ends; nil if it is over the length limit.
    mutating func unclosedQuote(from start: Int, to end: Int?) throws(ETLError) -> UnclosedQuote? {
        while true {
            // Always examines the same number of bytes, whatever the window holds. Otherwise results would
            // depend on where reading began.
            let most = start + parser.limits.recordBytes
            let looked = min(window.bytes.count, most)
            let isWhole = window.isAtEnd && looked == window.bytes.count
            let finding = search.look(
                at: UnsafeRawBufferPointer(rebasing: window.bytes[start..<looked]),
                recordEnd: end.map { $0 - start }, isWhole: isWhole, canGrow: !isWhole && looked < most)
            switch finding {
            case .nothing: return nil
            case .quote(let quote): return quote
            case .needsInput: try window.refill()
            }
        }
    }
}

/// Records over the length limit. Bytes that are not in memory are read ahead where needed.
extension RecordReader {
    /// The unclosed quote of the record at the beginning of the window, if that is why the record is so long.
    mutating func unclosedQuoteOfLongRecord() throws(ETLError) -> UnclosedQuote? {
        guard let quote = try unclosedQuote(from: 0, to: nil) else { return nil }
        guard quote.isOpenAtEnd else { return quote }
        return try isClosed(from: min(window.bytes.count, parser.limits.recordBytes)) ? nil : quote
    }

    /// Gets what is needed to continue with a record: a decision about its open quote, or more bytes.
    mutating func continueRecord(with record: inout OversizedRecord) throws(ETLError) {
        if record.isInDoubt {
            record.settle(isClosed: try isClosed(from: 0))
        } else if !record.isOver {
            try window.refill()
        }
    }

    /// Whether the quoted field that includes an offset of the window is properly closed, however far ahead.
    /// A search ends at the next quote, and no search for another field begins before it. So all searches
    /// together read the input only once.
    private func isClosed(from offset: Int) throws(ETLError) -> Bool {
        var quote = ClosingQuote(parser)
        let held = UnsafeRawBufferPointer(rebasing: window.bytes[offset...])
        if let isClosed = quote.isClosing(in: held, isFinal: window.isAtEnd) { return isClosed }
        guard var ahead = try window.ahead() else { return false }
        while true {
            if stop?.isRaised == true {
                throw ETLError(.temporary, "The search for the end of a quoted cell was stopped.")
            }
            try ahead.refill()
            if let isClosed = quote.isClosing(in: ahead.bytes, isFinal: ahead.isAtEnd) { return isClosed }
            ahead.consume(ahead.bytes.count)
        }
    }
}

extension RecordReader {
    /// Reads a single record, for callers that need only a few. Its cells point into their own arena.
    ///
    /// - Returns: The record, including blank and over-limit ones; nil at the end of the input.
    /// - Throws: `inputOutput` if the file cannot be read.
    package mutating func next() throws(ETLError) -> (record: Record, cells: [Text], arena: Arena)? {
        var arena = Arena()
        var cells: [Text] = []
        var records: [Record] = []
        guard try fill(arena: &arena, cells: &cells, records: &records, maxRecords: 1, maxBytes: 1),
            let record = records.first
        else { return nil }
        return (record, cells, arena)
    }

    /// Skips the records of one parser call. ``position`` does not change.
    ///
    /// - Parameters:
    ///   - passed: Counts of skipped records. It is updated.
    ///   - visit: Gets the cells of each record that is within the limits, as unprocessed ranges of the bytes
    ///     passed with them.
    /// - Returns: False at the end of the input.
    package mutating func passOn(
        counting passed: inout SkippedRecords,
        visiting visit: (Slice<UnsafeBufferPointer<Text>>, UnsafeRawBufferPointer) -> Void
    ) throws(ETLError) -> Bool {
        let ending = parser.parse(window.bytes, isFinal: window.isAtEnd, into: &run)
        let quote = try removeUnclosedQuote(ending)
        let bytes = window.bytes
        // The input may end with the last record.
        let isLast = ending == .end || ending == .acrossLines
        var first = 0
        var start = 0
        for mark in run.marks {
            if mark.isBlank, mark.end > start { passed.emptyRows += 1 }
            start = mark.next
            if !mark.isBlank {
                passed.count += 1
                if mark.flags.contains(.invalidUTF8) { passed.undecodable += 1 }
                visit(run.cells[first..<mark.cellsEnd], bytes)
                let cells = mark.cellsEnd - first
                if isLast, isCutOff(mark, cells: cells, after: passed) {
                    passed.cutOff = (passed.records, passed.lines)
                }
                passed.width = max(passed.width, cells)
            }
            passed.records += 1
            passed.lines += mark.lineEnds
            first = mark.cellsEnd
        }
        window.consume(run.consumed)
        switch ending {
        case .needsInput, .full: try window.refill()
        case .acrossLines:
            if let quote { skip(quote.mark, counting: &passed) }
        case .overLimit(let mark): skip(try unclosedQuote(of: mark)?.mark ?? mark, counting: &passed)
        case .overlong:
            if let quote = try unclosedQuoteOfLongRecord() {
                skip(quote.mark, counting: &passed)
                break
            }
            var overlong = OversizedRecord(parser)
            while !overlong.isOver {
                window.consume(overlong.take(window.bytes, isFinal: window.isAtEnd))
                try continueRecord(with: &overlong)
            }
            passed.count += 1
            passed.records += 1
            passed.lines += overlong.lineEnds
        case .end:
            guard let quote else {
                // The truncated record would be the next one.
                if window.endsInHalfCharacter, passed.cutOff == nil {
                    passed.cutOff = (passed.records, passed.lines)
                }
                return false
            }
            skip(quote.mark, counting: &passed)
        }
        return true
    }

    /// Skips a record at the beginning of the window that has no cells.
    private mutating func skip(_ mark: ParsedRecords.Mark, counting passed: inout SkippedRecords) {
        passed.count += 1
        passed.records += 1
        passed.lines += mark.lineEnds
        window.consume(mark.next)
    }

    /// Whether the input ends within a record: within quotes, within a character, or with fewer cells than
    /// other records have. The last line of an intact file may lack its line end.
    private func isCutOff(_ mark: ParsedRecords.Mark, cells: Int, after passed: SkippedRecords) -> Bool {
        let width = passed.width == 0 ? parser.columns ?? 0 : min(passed.width, parser.columns ?? 0)
        return mark.flags.contains(.unterminatedQuote)
            || mark.next == mark.end && (cells < width || window.endsInHalfCharacter)
    }
}
