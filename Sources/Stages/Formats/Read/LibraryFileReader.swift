package import Books
import Bytes
import Syntax
package import System

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
    private let digitColumns: [(field: LibraryField, column: Int)]
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
        throws(ETLError)
    {
        self.file = file
        stage = settings.stage
        rules = settings.rules
        advice = settings.adviceToResume
        let hasHeader = file.text?.headerPosition != nil
        repeatedHeader = hasHeader ? RepeatedHeader(file.header) : nil
        digitColumns = LibraryRows.numericFields.compactMap { field in
            file.columns[field].map { (field, $0) }
        }
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
    package mutating func next(atMost most: Int = .max) throws(ETLError) -> LibraryChunk? {
        do throws(ETLError) {
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
    private func checkEnd() throws(ETLError) {
        try file.input.state.check(file.input.file, advice: advice)
        guard let expected = file.surveyed?.recordCount, let recordsRead, recordsRead != expected else {
            return
        }
        throw FileState.changed(
            file.input.path, "expected \(expected) records, read \(recordsRead)", advice: advice)
    }

    private mutating func read(atMost most: Int) throws(ETLError) -> LibraryChunk? {
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

    /// A record on its way to a row.
    private struct PreparedRow {
        let record: Record
        var row: LibraryRow
        /// Observations of the parser that no step has repaired.
        var flags: RecordFlags
        /// Details found by a step, for the message of a later refusal.
        var details: String?
    }

    /// Steps for each record that has cells.
    private enum Step {
        case undoDoubleEncoding, noteEarlyEnd, findRepeatedHeader, decodeMixedText, noteFlags
        case findDamagedTable, findCommentLine
        case alignColumns, readEscapes, readDigits, interpret, applyRules
    }

    /// The steps in their order:
    ///
    /// - Text is repaired before it is compared. Mixed encodings are decoded before the flags are noted, because that
    ///   repairs the flagged damage.
    /// - Lines that are no records (headers, comments, damaged tables) are found before cells are moved under their
    ///   columns, which would make rows of them.
    /// - Cells are under their columns before they are read by column, which the last four steps do.
    /// - The user's rules have the last word about values.
    private static let order: [Step] = [
        .undoDoubleEncoding, .noteEarlyEnd, .findRepeatedHeader, .decodeMixedText, .noteFlags,
        .findDamagedTable, .findCommentLine, .alignColumns, .readEscapes, .readDigits, .interpret,
        .applyRules,
    ]

    private func take(_ record: Record, into chunk: inout LibraryChunk) {
        var prepared = PreparedRow(
            record: record,
            row: LibraryRow(position: record.position, raw: record.raw, cells: record.cells),
            flags: record.flags)
        for step in Self.order {
            guard let (reason, details) = perform(step, on: &prepared, in: &chunk.rows) else { continue }
            chunk.rejects.append(reject(record, of: chunk.rows.arena, reason, details: details))
            return
        }
        if let reason = prepared.row.refusal {
            let details = prepared.details ?? chunk.rows.details(of: prepared.row, reason)
            chunk.rejects.append(reject(record, of: chunk.rows.arena, reason, details: details))
        } else {
            chunk.rows.rows.append(prepared.row)
        }
    }

    /// - Returns: Why the record is rejected without a row; nil if the next step follows.
    private func perform(
        _ step: Step, on prepared: inout PreparedRow, in rows: inout LibraryRows
    ) -> (ReasonCode, details: String)? {
        let record = prepared.record
        switch step {
        case .undoDoubleEncoding:
            if rows.mayBeDoublyEncoded(prepared.row, isText: file.text != nil) {
                rows.undoDoubleEncoding(of: &prepared.row)
            }
        case .noteEarlyEnd:
            prepared.row.isCutOff =
                record.flags.contains(.unterminatedQuote)
                || record.endsFile && record.cells.count < file.header.count
        case .findRepeatedHeader:
            if let repeatedHeader, repeatedHeader.isRepeated(by: prepared.row, in: rows) {
                return (.repeatedHeader, "")
            }
        case .decodeMixedText:
            if prepared.flags.contains(.invalidUTF8), file.format.mixesEncodings {
                rows.decodeMixedText(of: &prepared.row)
                prepared.flags.remove(.invalidUTF8)
            }
        case .noteFlags:
            if !prepared.flags.isEmpty { prepared.row.note(prepared.flags) }
        case .findDamagedTable:
            if file.input.table != nil, let last = prepared.row.cells.last,
                rows.arena.withBytes(rows.cells[last], { $0.first == UInt8(ascii: "{") }),
                let damage = JSONTable.damage(in: rows.cells[prepared.row.cells].map(rows.arena.bytes))
            {
                return (.recordUnreadable, damage)
            }
        case .findCommentLine:
            if file.text != nil, rows.isCommentLine(prepared.row) { return (.commentLine, "") }
        case .alignColumns:
            if record.cells.count != file.header.count {
                rows.align(&prepared.row, to: shapes, delimiter: delimiter)
            } else if record.spansLines, !file.input.isTable {
                prepared.details = rows.checkSwallowed(&prepared.row, shapes, delimiter: delimiter)
            }
        case .readEscapes:
            if file.columns.areTextsEscaped { rows.readEscapedTexts(of: &prepared.row) }
        case .readDigits: rows.readDigits(of: &prepared.row, digitColumns)
        case .interpret:
            if prepared.row.refusal == nil { file.format.interpret(&prepared.row, in: &rows) }
        case .applyRules:
            if let rules { rows.apply(rules, to: &prepared.row) }
        }
        return nil
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
