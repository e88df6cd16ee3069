package import Bytes
package import Pipeline

/// Reads a CSV file record by record into a batch's arena, in bounded memory.
///
/// A record's bytes are copied once, in one stroke with its neighbours', and its cells point into the copy.
/// Only a cell that does not stand there as it is meant (`"a ""b"" c"`) is written anew, behind the records.
package struct RecordReader: RecordStream, ~Copyable {
    /// After the last record handed out, where a later reader resumes: the offset is that of the bytes on
    /// disk.
    package private(set) var position: Position

    private let encoding: TextEncoding
    let parser: CSVParser
    var window: InputWindow
    var run = ParsedRecords()
    var search: UnclosedQuoteSearch
    /// Raised by who waits no longer for what is looked for far ahead.
    let stop: StopSignal?
    private var rewritten = ByteStack()

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - fileIndex: Index of the file among the inputs of the run.
    ///   - start: Where to read from: the beginning (a byte order mark is passed over), or a ``position`` of
    ///     an earlier reader of the same file.
    /// - Throws: `missing` if the file cannot be opened, `inputOutput` if it cannot be read.
    package init(
        file path: String, fileIndex: Int = 0, dialect: Dialect, encoding: TextEncoding,
        limits: RecordLimits = .standard, from start: Position = .start
    ) throws(StageFailure) {
        try self.init(
            FileBytes(path: path, from: start.byte), fileIndex: fileIndex, dialect: dialect,
            encoding: encoding,
            limits: limits, from: start)
    }

    /// Reads any other source of bytes, whose first is the one at `start`.
    ///
    /// - Parameters:
    ///   - columns: Cells of a sound record, by which a ``UnclosedQuote`` is told; nil looks for none.
    ///   - stop: Where it is raised, looking far ahead ends with a failure.
    ///   - blockBytes: Bytes to look at at a time; more are held where a record needs them.
    package init(
        _ source: any ByteSource, fileIndex: Int = 0, dialect: Dialect, encoding: TextEncoding,
        limits: RecordLimits = .standard, from start: Position = .start, columns: Int? = nil,
        stop: StopSignal? = nil, blockBytes: Int? = nil
    ) throws(StageFailure) {
        self.encoding = encoding
        self.stop = stop
        parser = CSVParser(dialect: dialect, limits: limits, columns: columns)
        search = UnclosedQuoteSearch(parser, columns: columns)
        window = InputWindow(source, encoding: encoding, blockBytes: blockBytes ?? InputWindow.blockBytes)
        position = start
        position.file = fileIndex
        if start.byte == 0 { try passByteOrderMark() }
    }

    /// Bytes of input it holds in memory: one block, more after a long record, at most twice the longest that
    /// is parsed.
    package var heldBytes: Int { window.capacity }

    /// Reads on, appending records, their cells and their bytes.
    ///
    /// - Parameters:
    ///   - arena: Takes the records' bytes.
    ///   - cells: Takes the records' cells, record after record.
    ///   - maxRecords: Stops after so many records, at least 1.
    ///   - maxBytes: Stops after the record with which the records' bytes reach this many.
    /// - Returns: false at the end of the input, when nothing was appended.
    /// - Throws: `inputOutput` if the file cannot be read.
    package mutating func fill(
        arena: inout Arena, cells: inout [Text], records: inout [Record], maxRecords: Int, maxBytes: Int
    ) throws(StageFailure) -> Bool {
        let recordsEnd = records.count + min(max(1, maxRecords), Int(Int32.max))
        let firstRecord = records.count
        var bytesLeft = maxBytes
        while records.count < recordsEnd, bytesLeft > 0 || records.count == firstRecord {
            let ending = parser.parse(
                window.bytes, isFinal: window.isAtEnd, textOffset: arena.byteCount,
                maxRecords: recordsEnd - records.count, maxBytes: bytesLeft, into: &run)
            let quote = try takeOutLoneQuote(ending)
            bytesLeft -= run.consumed
            handOver(&arena, &cells, &records)
            let record: Record
            switch ending {
            case .needsInput:
                try window.refill()
                continue
            case .full: return true
            case .acrossLines:
                guard let quote else { continue }
                record = hand(quote.mark, &arena)
            case .overLimit(let mark): record = hand(try loneQuote(of: mark)?.mark ?? mark, &arena)
            case .overlong:
                let quote = try loneQuoteOfLongRecord()
                record = if let quote { hand(quote.mark, &arena) } else { try passOverlong(&arena) }
            case .end:
                guard let quote else { return records.count > firstRecord }
                record = hand(quote.mark, &arena)
            }
            records.append(record)
            bytesLeft -= record.rawLength
        }
        return true
    }

    /// Appends the run to what the caller fills.
    private mutating func handOver(_ arena: inout Arena, _ cells: inout [Text], _ records: inout [Record]) {
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
            records.append(record)
            position.byte += Int64(onDisk(bytes, start..<mark.next))
            position.line += mark.lineEnds
            position.record += 1
            start = mark.next
            cell = firstCell + mark.cellsEnd
        }
        rewrite(bytes, &arena, &cells, firstCell)
        window.consume(run.consumed)
    }

    /// Writes the cells anew that hold doubled quotes or go on after their closing quote.
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

    /// A record whose end is known but whose cells are too many or too long.
    private mutating func hand(_ mark: ParsedRecords.Mark, _ arena: inout Arena) -> Record {
        let kept = min(mark.end, Reject.keptBytes)
        let raw = arena.append(UnsafeRawBufferPointer(rebasing: window.bytes[..<kept]))
        let record = Record(
            position: position, raw: raw, cells: 0..<0, flags: mark.flags, rawLength: mark.end, isBlank: false
        )
        leave(mark.next)
        position.line += mark.lineEnds
        position.record += 1
        return record
    }

    /// A record that is too long to be held.
    private mutating func passOverlong(_ arena: inout Arena) throws(StageFailure) -> Record {
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
            leave(taken)
            try goOn(with: &overlong)
        }
        record.flags = overlong.flags
        record.rawLength = overlong.length
        position.line += overlong.lineEnds
        position.record += 1
        return record
    }

    /// Leaves bytes of the window behind.
    private mutating func leave(_ count: Int) {
        position.byte += Int64(onDisk(window.bytes, 0..<count))
        window.consume(count)
    }

    @inline(__always)
    private func onDisk(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        encoding == .utf8
            ? range.count : encoding.length(onDiskOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }

    /// A byte order mark is U+FEFF in any encoding that has one: the window shows it as UTF-8.
    private mutating func passByteOrderMark() throws(StageFailure) {
        let mark = encoding.byteOrderMarkAsRead
        while window.bytes.count < mark.count, !window.isAtEnd { try window.refill() }
        if window.bytes.starts(with: mark) { leave(mark.count) }
    }
}
