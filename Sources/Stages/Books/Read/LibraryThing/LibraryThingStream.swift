package import Bytes
package import Pipeline
package import Syntax

/// The records of LibraryThing's JSON.
package struct LibraryThingStream: SingleRecordStream, ~Copyable {
    private var frames: FrameReader<JSONFraming>
    private var book = LibraryThingRecord()

    /// - Parameter blockBytes: Bytes to look at at a time.
    package init(
        _ source: some ByteSource, encoding: TextEncoding = .utf8, limits: RecordLimits, from start: Position,
        blockBytes: Int? = nil
    ) {
        frames = FrameReader(
            source, framing: JSONFraming(keys: .libraryThing), encoding: encoding, limit: limits.recordBytes,
            from: start, blockBytes: blockBytes)
    }

    package var position: Position { frames.position }

    /// Bytes of input it holds in memory.
    package var heldBytes: Int { frames.heldBytes }

    package mutating func next(arena: inout Arena, cells: inout [Text]) throws(StageFailure) -> Record? {
        guard var found = try frames.next(arena: &arena) else { return nil }
        found.readJSON(in: &arena) { (reader, arena) throws(JSONReadError) in
            try book.decode(&reader, in: &arena, to: &cells)
        }
        return found
    }
}
