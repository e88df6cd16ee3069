package import Bytes
package import Pipeline

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
