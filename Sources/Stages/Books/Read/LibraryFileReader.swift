import Bytes
package import Pipeline
import Syntax

/// Consecutive records of one file, parsed and interpreted; it becomes a batch.
package struct LibraryChunk: Sendable {
    package var rows: LibraryRows
    /// Position after its last record, from which a later reader continues.
    package var end: Position
    /// Records that are not blank, including rejected ones.
    package var recordsRead: Int
    package var rejects: [Reject]
}

/// Reads a library file in chunks: parses, maps and interprets in one pass over the bytes.
package struct LibraryFileReader: ~Copyable {
    private let file: LibraryFile
    private let stage: String
    private let advice: UserText
    private let repeatedHeader: RepeatedHeader?
    private let shapes: ColumnShapes
    private let rules: MappingRules?
    private let delimiter: UInt8
    private let batchRecords: Int
    private let batchBytes: Int
    private var reader: any RecordStream & ~Copyable
    private var records: [Record] = []
    /// Records read so far that are not blank; nil if reading began in the middle of the file.
    private var recordsRead: Int?
    /// Sizes of the previous chunk, used to reserve memory for the next.
    private var lastBytes = 0
    private var lastCells = 0

    /// Begins after the header, or at the end of a chunk read earlier.
    package init(_ file: LibraryFile, settings: ReadSettings, from position: Position? = nil)
        throws(StageFailure)
    {
        self.file = file
        stage = settings.stage
        rules = settings.rules
        advice = settings.adviceToResume
        let hasHeader = file.text?.headerPosition != nil
        repeatedHeader = hasHeader ? RepeatedHeader(file.header) : nil
        shapes = ColumnShapes(file.columns, areNamed: hasHeader)
        delimiter = file.text?.dialect.dialect.delimiter ?? UInt8(ascii: ",")
        batchRecords = settings.batchRecords
        batchBytes = settings.batchBytes
        reader = try file.records(from: position)
        recordsRead = position == nil || position == .start ? 0 : nil
    }

    /// After this many consecutive fills with only blank lines an empty chunk is returned, so that a file of
    /// blank lines still shows progress and can be stopped.
    private static let blankRowLimit = 64

    /// The next chunk, with at most `most` records; nil at the end of the file.
    ///
    /// - Throws: What reading throws, and `unusableInput` if the file changed since it was opened.
    package mutating func next(atMost most: Int = .max) throws(StageFailure) -> LibraryChunk? {
        do throws(StageFailure) {
            guard let chunk = try read(atMost: most) else {
                try checkEnd()
                return nil
            }
            if let count = recordsRead { recordsRead = count + chunk.recordsRead }
            return chunk
        } catch {
            // If the file changed, report that rather than the error it caused.
            try file.input.state.check(file.input.file, advice: advice)
            throw error
        }
    }

    /// Checks at the end of the file that all surveyed records were read. A truncated file ends like any
    /// other.
    private func checkEnd() throws(StageFailure) {
        try file.input.state.check(file.input.file, advice: advice)
        guard let expected = file.surveyed?.recordCount, let recordsRead, recordsRead != expected else {
            return
        }
        throw FileState.changed(
            file.input.path, "expected \(expected) records, read \(recordsRead)", advice: advice)
    }

    private mutating func read(atMost most: Int) throws(StageFailure) -> LibraryChunk? {
        var chunk = LibraryChunk(
            rows: LibraryRows(arena: Arena(capacity: lastBytes), columns: file.columns), end: reader.position,
            recordsRead: 0, rejects: [])
        chunk.rows.cells.reserveCapacity(lastCells)
        for _ in 0..<Self.blankRowLimit where chunk.recordsRead == 0 {
            records.removeAll(keepingCapacity: true)
            let isMore = try reader.fill(
                arena: &chunk.rows.arena, cells: &chunk.rows.cells, records: &records,
                maxRecords: min(batchRecords, most), maxBytes: batchBytes)
            guard isMore else { return nil }
            chunk.rows.rows.reserveCapacity(records.count)
            chunk.rows.people.reserveCapacity(records.count * 2)
            for record in records where !record.isBlank {
                chunk.recordsRead += 1
                if record.flags.isDisjoint(with: .withoutCells) {
                    take(record, into: &chunk)
                } else {
                    chunk.rejects.append(reject(record, of: chunk.rows.arena))
                }
            }
        }
        chunk.end = reader.position
        // Stages add about as much again. Reserving room now avoids moving all of it later.
        lastBytes = chunk.rows.arena.byteCount * 2 + chunk.rows.rows.count * Self.bytesAdded
        lastCells = chunk.rows.cells.count
        return chunk
    }

    /// Bytes per record that stages add to a batch, in addition to rewriting the record's own bytes.
    private static let bytesAdded = 512

    private func take(_ record: Record, into chunk: inout LibraryChunk) {
        var row = LibraryRow(position: record.position, raw: record.raw, cells: record.cells)
        if chunk.rows.mayBeDoublyEncoded(row, isText: file.text != nil) {
            chunk.rows.undoDoubleEncoding(of: &row)
        }
        row.isCutOff =
            record.flags.contains(.unterminatedQuote)
            || record.endsFile && record.cells.count < file.header.count
        if let repeatedHeader, repeatedHeader.isRepeated(by: row, in: chunk.rows) {
            chunk.rejects.append(reject(record, of: chunk.rows.arena, .repeatedHeader, details: ""))
            return
        }
        var flags = record.flags
        if flags.contains(.invalidUTF8), file.format.mixesEncodings {
            chunk.rows.decodeMixedText(of: &row)
            flags.remove(.invalidUTF8)
        }
        if !flags.isEmpty { row.note(flags) }
        if file.input.table != nil, let last = row.cells.last,
            chunk.rows.arena.withBytes(chunk.rows.cells[last], { $0.first == UInt8(ascii: "{") }),
            let damage = JSONTable.damage(in: chunk.rows.cells[row.cells].map(chunk.rows.arena.bytes))
        {
            chunk.rejects.append(reject(record, of: chunk.rows.arena, .recordUnreadable, details: damage))
            return
        }
        if file.text != nil, chunk.rows.isCommentLine(row) {
            chunk.rejects.append(reject(record, of: chunk.rows.arena, .commentLine, details: ""))
            return
        }
        var details: String?
        if record.cells.count != file.header.count {
            chunk.rows.align(&row, to: shapes, delimiter: delimiter)
        } else if record.spansLines, !file.input.isTable {
            details = chunk.rows.checkSwallowed(&row, shapes, delimiter: delimiter)
        }
        if file.columns.areTextsEscaped { chunk.rows.readEscapedTexts(of: &row) }
        if row.refusal == nil { file.format.interpret(&row, in: &chunk.rows) }
        if let rules { chunk.rows.apply(rules, to: &row) }
        if let reason = row.refusal {
            let details = details ?? chunk.rows.details(of: row, reason)
            chunk.rejects.append(reject(record, of: chunk.rows.arena, reason, details: details))
        } else {
            chunk.rows.rows.append(consume row)
        }
    }

    private func reject(_ record: Record, of arena: Arena) -> Reject {
        let limits = file.limits
        let (reason, details): (ReasonCode, String) =
            if record.flags.contains(.recordOverLimit) {
                (.recordTooLarge, "It has \(record.rawLength) bytes; the limit is \(limits.recordBytes).")
            } else if record.flags.contains(.columnsOverLimit) {
                (.tooManyColumns, "The limit is \(limits.columns).")
            } else if record.flags.isSuperset(of: [.unreadable, .unterminatedQuote]) {
                (
                    .recordUnreadable,
                    "The record has an unclosed quote. Reading continues on the next line."
                )
            } else if record.flags.contains(.unreadable) {
                (
                    .recordUnreadable,
                    record.flags.contains(.cutShort)
                        ? "The file is truncated in the middle of the record." : ""
                )
            } else {
                (.fieldTooLarge, "The limit is \(limits.fieldBytes) bytes.")
            }
        return reject(record, of: arena, reason, details: details)
    }

    private func reject(
        _ record: Record, of arena: Arena, _ reason: ReasonCode, details: String
    ) -> Reject {
        Reject(
            position: record.position, stage: stage, code: reason.code,
            message: reason.message(details), raw: arena.bytes(record.raw),
            rawLength: record.rawLength)
    }
}

/// Recognizes a file's header when it occurs again among the records, which happens if exports were
/// concatenated.
struct RepeatedHeader: Sendable {
    /// The header's cells.
    private let names: [[UInt8]]

    init(_ header: HeaderNames) { names = header.names.map { Array($0.utf8) } }

    /// Whether all of a row's cells equal the header's.
    func isRepeated(by row: LibraryRow, in rows: borrowing LibraryRows) -> Bool {
        guard row.cells.count == names.count else { return false }
        for (place, name) in names.enumerated() {
            let cell = rows.cells[row.cells.lowerBound + place]
            guard Int(cell.length) >= name.count else { return false }
            let isName = rows.arena.withBytes(cell) { bytes in
                // The second file may begin with a byte order mark.
                let mark = TextEncoding.utf8.byteOrderMark
                let begin = place == 0 && bytes.starts(with: mark) ? mark.count : 0
                return bytes[bytes.trimmedBlanks(in: begin..<bytes.count)].elementsEqual(name)
            }
            guard isName else { return false }
        }
        return true
    }
}
