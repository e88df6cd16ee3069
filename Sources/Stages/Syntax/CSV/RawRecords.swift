import Bytes
package import Pipeline

/// Writes the records of a file as they were read: one JSON array of strings a line, the header included,
/// nothing interpreted. The reader alone, as anyone can check it: by the letter, so that a quote that is never closed
/// runs to the file's end (an import knows the table's columns, and gives up its line).
///
/// A line without a single byte is no record and is left out; so is a record over a limit, which has no
/// cells.
package enum RawRecords {
    /// What became of the records.
    package struct Outcome: Sendable, Hashable {
        /// Records written.
        package var written = 0
        /// Empty lines.
        package var empty = 0
        /// Records over a limit.
        package var overLimit = 0
        /// The first of those.
        package var firstOverLimit: Position?
    }

    /// Bytes handed to the writer at a time, near enough.
    private static let pieceBytes = 256 * 1024

    /// Writes all that the reader has left.
    ///
    /// - Parameters:
    ///   - header: Names of columns that are no record of the input: they are written first.
    ///   - write: Takes the text in pieces of any length, each ending with a line.
    /// - Throws: What reading throws, and what `write` throws.
    package static func write(
        _ stream: consuming any RecordStream & ~Copyable, under header: [String] = [],
        to write: (UnsafeRawBufferPointer) throws(StageFailure) -> Void
    ) throws(StageFailure) -> Outcome {
        var outcome = Outcome()
        var cells: [Text] = []
        var records: [Record] = []
        var output = JSONWriter(capacity: 4 * pieceBytes)
        if !header.isEmpty {
            output.array { output in for name in header { output.string(name) } }
            output.endLine()
        }
        while true {
            var arena = Arena(capacity: 2 * pieceBytes)
            cells.removeAll(keepingCapacity: true)
            records.removeAll(keepingCapacity: true)
            let isMore = try stream.fill(
                arena: &arena, cells: &cells, records: &records, maxRecords: 4096, maxBytes: pieceBytes)
            guard isMore else { return outcome }
            arena.withAllBytes { bytes in
                for record in records {
                    if !record.flags.isDisjoint(with: .withoutCells) {
                        outcome.overLimit += 1
                        outcome.firstOverLimit = outcome.firstOverLimit ?? record.position
                    } else if record.rawLength == 0 {
                        outcome.empty += 1
                    } else {
                        output.array { output in
                            for cell in cells[record.cells] {
                                output.string(utf8: UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
                            }
                        }
                        output.endLine()
                        outcome.written += 1
                    }
                }
            }
            if !output.bytes.isEmpty { try output.drain(write) }
        }
    }
}

/// What a ``RecordReader`` has passed over.
package struct SkippedRecords {
    /// Records that are not blank.
    package var count = 0
    /// Those and the blank ones: the records before the next one.
    var records = 0
    /// Lines before the next record.
    var lines = 0
    /// Cells of the widest record before the next one; 0 before the first.
    var width = 0
    /// The record that the input ends within, as what is before it; nil where it ends with a whole one.
    package var cutOff: (records: Int, lines: Int)?

    package init() {}
}
