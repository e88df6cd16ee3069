package import Bytes
package import System

/// One record of a file: its position and its cells.
///
/// Anomalies are reported in ``flags``; they are not errors. The caller decides what to do about them, and
/// about a record with too few or too many cells.
package struct Record: Sendable, Hashable {
    /// Start of the record.
    package var position: Position
    /// The record as read, converted to UTF-8, without its line end. Only the first ``Reject/keptBytes`` of a
    /// record over a limit.
    package var raw: Text
    /// The range of the record's cells among those the reader filled: unquoted, otherwise unchanged. Empty
    /// for a record over a limit.
    package var cells: Range<Int>
    /// Its anomalies.
    package var flags: RecordFlags
    /// Length of the complete record in bytes of UTF-8, without its line end.
    package var rawLength: Int
    /// Whether all its fields are empty: a blank line. It has a record number, so that numbers agree with a
    /// spreadsheet's rows, but is not counted as a record.
    package var isBlank: Bool
    /// Whether the file ends with it, without a line end, so it may be truncated. Only set for delimited
    /// text.
    package var endsFile = false
    /// Whether a quoted cell has line ends. Only set for delimited text.
    package var spansLines = false

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

/// Anomalies of a record.
package struct RecordFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Text follows a closing quote, as in `"ab"cd`. It was kept: the cell is `abcd`.
    package static let textAfterQuote = RecordFlags(rawValue: 1 << 0)
    /// There is a quote inside an unquoted field, as in `6" tall`. It was kept. Not set for the spreadsheets'
    /// `="0439708184"`.
    package static let strayQuote = RecordFlags(rawValue: 1 << 1)
    /// A quoted field is not closed. It extends to the end of the input, or was given up beyond the limits.
    package static let unterminatedQuote = RecordFlags(rawValue: 1 << 2)
    /// The record contains NUL bytes.
    package static let nul = RecordFlags(rawValue: 1 << 3)
    /// The record contains bytes that are invalid in the file's encoding. Records longer than
    /// ``RecordLimits/recordBytes`` are not checked for this and ``nul``.
    package static let invalidUTF8 = RecordFlags(rawValue: 1 << 4)
    /// A field is longer than ``RecordLimits/fieldBytes``. Not checked if another limit is exceeded.
    package static let fieldOverLimit = RecordFlags(rawValue: 1 << 5)
    /// The record is longer than ``RecordLimits/recordBytes``.
    package static let recordOverLimit = RecordFlags(rawValue: 1 << 6)
    /// The record has more cells than ``RecordLimits/columns``.
    package static let columnsOverLimit = RecordFlags(rawValue: 1 << 7)

    /// The record cannot be parsed. For delimited text, set only if an ``UnclosedQuote`` has swallowed the
    /// following records.
    package static let unreadable = RecordFlags(rawValue: 1 << 8)

    /// Any of the three limits.
    package static let overLimit: RecordFlags = [.fieldOverLimit, .recordOverLimit, .columnsOverLimit]
    /// Flags of records that have no cells.
    package static let withoutCells: RecordFlags = overLimit.union(.unreadable)
}

/// The records of an input in order. Every library file is read through it, whatever its syntax.
///
/// A record consists of cells under the columns of its file, its position in the input, and its bytes.
/// Delimited text (``RecordReader``) is one implementation. A format with its own syntax adds another, most
/// easily as a ``SingleRecordStream`` (docs/adding-a-format.md).
package protocol RecordStream: ~Copyable {
    /// The position after the last record returned, where a later stream of the same input resumes. For a
    /// compressed file, the offset is in decompressed bytes.
    var position: Position { get }

    /// Reads the next records and appends them, their cells and their bytes.
    ///
    /// - Parameters:
    ///   - arena: Gets the records' bytes.
    ///   - cells: Gets the records' cells, record after record.
    ///   - maxRecords: Stops after this many records, at least 1.
    ///   - maxBytes: Stops after the record with which the records' bytes reach this many.
    /// - Returns: False at the end of the input, when nothing was appended.
    /// - Throws: `inputOutput` if the input cannot be read, `unusableInput` if the damage extends beyond one
    ///   record.
    mutating func fill(
        arena: inout Arena, cells: inout [Text], records: inout [Record], maxRecords: Int, maxBytes: Int
    ) throws(ETLError) -> Bool
}

/// A stream that finds its records one by one.
package protocol SingleRecordStream: RecordStream, ~Copyable {
    /// Appends the next record's bytes and cells and moves ``position`` after it.
    ///
    /// A record that is over a limit or cannot be parsed has no cells and a flag that says so. At most
    /// ``Reject/keptBytes`` of it are appended.
    ///
    /// - Returns: The record; nil at the end of the input.
    mutating func next(arena: inout Arena, cells: inout [Text]) throws(ETLError) -> Record?
}

extension SingleRecordStream where Self: ~Copyable {
    package mutating func fill(
        arena: inout Arena, cells: inout [Text], records: inout [Record], maxRecords: Int, maxBytes: Int
    ) throws(ETLError) -> Bool {
        let (firstRecord, firstByte) = (records.count, arena.byteCount)
        repeat {
            guard let record = try next(arena: &arena, cells: &cells) else { break }
            records.append(record)
        } while records.count - firstRecord < maxRecords && arena.byteCount - firstByte < maxBytes
        return records.count > firstRecord
    }
}
