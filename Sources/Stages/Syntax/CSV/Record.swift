package import Bytes
package import Pipeline

/// One record of a CSV file: where it stands and where its cells are.
///
/// The parser has no errors. What is odd about a record is told in ``flags``; what to do about it, and about
/// a record with too few or too many cells, is the caller's decision.
package struct Record: Sendable, Hashable {
    /// Where the record begins.
    package var position: Position
    /// The record as it was read (as UTF-8, where the file has another encoding), without its line end. Of a
    /// record over a limit only the first ``Reject/keptBytes``.
    package var raw: Text
    /// The record's cells among those the reader filled: unquoted, otherwise untouched. None of a record over
    /// a limit.
    package var cells: Range<Int>
    /// What is odd about it.
    package var flags: RecordFlags
    /// Length of the whole record in bytes of UTF-8, without its line end.
    package var rawLength: Int
    /// Whether it is a blank line: all its fields are empty. It has a record number, as a spreadsheet shows
    /// it, and is otherwise counted nowhere (contract section 6).
    package var isBlank: Bool
    /// Whether the file ends with it, without a line's end: it may have been cut off. Only delimited text says so.
    package var endsFile = false

    package init(
        position: Position, raw: Text, cells: Range<Int>, flags: RecordFlags, rawLength: Int, isBlank: Bool
    ) {
        self.position = position
        self.raw = raw
        self.cells = cells
        self.flags = flags
        self.rawLength = rawLength
        self.isBlank = isBlank
    }
}

/// What is odd about a record.
package struct RecordFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Text follows a closing quote, `"ab"cd`: it was kept, the cell is `abcd`.
    package static let textAfterQuote = RecordFlags(rawValue: 1 << 0)
    /// A quote stands inside an unquoted field, `6" tall`: it was kept. Not said of the spreadsheets'
    /// `="0439708184"`.
    package static let strayQuote = RecordFlags(rawValue: 1 << 1)
    /// A quoted field has no end: it ran to the end of the input, or was given up beyond the limits.
    package static let unterminatedQuote = RecordFlags(rawValue: 1 << 2)
    /// The record holds NUL bytes.
    package static let nul = RecordFlags(rawValue: 1 << 3)
    /// The record holds bytes that are no text in the file's encoding. Of a record longer than
    /// ``RecordLimits/recordBytes`` this and ``nul`` are not looked for.
    package static let invalidUTF8 = RecordFlags(rawValue: 1 << 4)
    /// A field is longer than ``RecordLimits/fieldBytes``. Not looked for where another limit is broken.
    package static let fieldOverLimit = RecordFlags(rawValue: 1 << 5)
    /// The record is longer than ``RecordLimits/recordBytes``.
    package static let recordOverLimit = RecordFlags(rawValue: 1 << 6)
    /// The record has more cells than ``RecordLimits/columns``.
    package static let columnsOverLimit = RecordFlags(rawValue: 1 << 7)

    /// The record is damaged so that nothing of it can be read. Said of delimited text only where a ``UnclosedQuote`` has
    /// swallowed the records after it.
    package static let unreadable = RecordFlags(rawValue: 1 << 8)

    /// Any of the three limits.
    package static let overLimit: RecordFlags = [.fieldOverLimit, .recordOverLimit, .columnsOverLimit]
    /// Flags of records that have no cells.
    package static let withoutCells: RecordFlags = overLimit.union(.unreadable)
}

/// The records of an input, one after the other: what every library file is read through, whatever its syntax.
///
/// A record is cells under the columns of its file, with its place in the input and its bytes. Delimited text
/// (``RecordReader``) is one implementation; a format with a syntax of its own brings another, most easily as a
/// ``SingleRecordStream`` (<doc:AddingAFormat>).
package protocol RecordStream: ~Copyable {
    /// After the last record handed out: where a later stream of the same input goes on. The offset is that of
    /// the input's bytes, unpacked where the file is packed.
    var position: Position { get }

    /// Reads on, appending records, their cells and their bytes.
    ///
    /// - Parameters:
    ///   - arena: Takes the records' bytes.
    ///   - cells: Takes the records' cells, record after record.
    ///   - maxRecords: Stops after so many records, at least 1.
    ///   - maxBytes: Stops after the record with which the records' bytes reach this many.
    /// - Returns: false at the end of the input, when nothing was appended.
    /// - Throws: `inputOutput` if the input cannot be read, `unusableInput` where it is damaged beyond its next
    ///   record.
    mutating func fill(
        arena: inout Arena, cells: inout [Text], records: inout [Record], maxRecords: Int, maxBytes: Int
    ) throws(StageFailure) -> Bool
}

/// A stream that finds its records one by one.
package protocol SingleRecordStream: RecordStream, ~Copyable {
    /// Appends the next record's bytes and cells and moves ``position`` behind it.
    ///
    /// A record over a limit, or damaged so that nothing of it can be read, has no cells and a flag that says
    /// so; at most ``Reject/keptBytes`` of it are appended.
    ///
    /// - Returns: The record; nil at the end of the input.
    mutating func next(arena: inout Arena, cells: inout [Text]) throws(StageFailure) -> Record?
}

extension SingleRecordStream where Self: ~Copyable {
    package mutating func fill(
        arena: inout Arena, cells: inout [Text], records: inout [Record], maxRecords: Int, maxBytes: Int
    ) throws(StageFailure) -> Bool {
        let (firstRecord, firstByte) = (records.count, arena.byteCount)
        repeat {
            guard let record = try next(arena: &arena, cells: &cells) else { break }
            records.append(record)
        } while records.count - firstRecord < maxRecords && arena.byteCount - firstByte < maxBytes
        return records.count > firstRecord
    }
}
