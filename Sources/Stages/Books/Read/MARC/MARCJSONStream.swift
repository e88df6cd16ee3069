package import Bytes
package import Pipeline
package import Syntax

/// The records of MARC in JSON, as columns of a book.
package struct MARCJSONStream: SingleRecordStream, ~Copyable {
    private var frames: FrameReader<JSONFraming>
    private var record = MARCRecord()

    /// - Parameter blockBytes: Bytes to look at at a time.
    package init(
        _ source: some ByteSource, limits: RecordLimits, from start: Position, blockBytes: Int? = nil
    ) {
        frames = FrameReader(
            source, framing: JSONFraming(keys: .marc), limit: limits.recordBytes, from: start,
            blockBytes: blockBytes)
    }

    package var position: Position { frames.position }

    /// Bytes of input it holds in memory.
    package var heldBytes: Int { frames.heldBytes }

    package mutating func next(arena: inout Arena, cells: inout [Text]) throws(StageFailure) -> Record? {
        guard var found = try frames.next(arena: &arena) else { return nil }
        found.readJSON(in: &arena) { (reader, arena) throws(JSONReadError) in
            try MARCJSONDecoder.decode(&reader, in: &arena, into: &record)
            return MARCBook.cells(of: record, in: &arena, to: &cells)
        }
        return found
    }
}
