import Bytes

/// Reads the cells of one record from its kept bytes.
package enum RawRecordCells {
    /// Parses bytes as a separate input.
    ///
    /// - Returns: The first record's cells; nil if there are none.
    package static func read<Stream: SingleRecordStream & ~Copyable>(
        _ raw: [UInt8], _ open: (MemoryByteSource) -> Stream
    ) -> [[UInt8]]? {
        var stream = open(MemoryByteSource(raw))
        var arena = Arena()
        var cells: [Text] = []
        guard let record = try? stream.next(arena: &arena, cells: &cells),
            record.flags.isDisjoint(with: .withoutCells)
        else { return nil }
        return cells[record.cells].map { arena.bytes($0) }
    }
}

/// Bytes in memory.
package struct MemoryByteSource: ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    package func ahead() -> (any ByteSource)? { self }
}
