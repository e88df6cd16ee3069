import Bytes
package import System

/// Writes the records of a file as they were read: one JSON array of strings per line, including the header,
/// without interpretation. This shows what the parser alone does, so that anyone can check it. Quotes are
/// followed literally: an unclosed quote extends to the end of the file. (An import knows the number of
/// columns and rejects only the quote's line.)
///
/// An empty line is not a record and is left out. So is a record over a limit, which has no cells.
package enum RawRecords {
    /// Counts of written and omitted records.
    package struct Outcome: Sendable, Hashable {
        /// Number of records written.
        package var written = 0
        /// Number of empty lines.
        package var empty = 0
        /// Number of records over a limit.
        package var overLimit = 0
        /// Position of the first of those.
        package var firstOverLimit: Position?
    }

    /// Approximate number of bytes passed to `write` at a time.
    private static let pieceBytes = 256 * 1024

    /// Writes all remaining records of a stream.
    ///
    /// - Parameters:
    ///   - header: Names of columns that are not a record of the input. They are written first.
    ///   - write: Gets the text in pieces of any length, each ending with a line end.
    /// - Throws: Errors of reading and of `write`.
    package static func write(
        _ stream: consuming any RecordStream & ~Copyable, under header: [String] = [],
        to write: (UnsafeRawBufferPointer) throws(ETLError) -> Void
    ) throws(ETLError) -> Outcome {
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

/// Records that a ``RecordReader`` has skipped.
package struct SkippedRecords {
    /// Number of records that are not blank.
    package var count = 0
    /// Number of records of separators only.
    package var emptyRows = 0
    /// Number of records with bytes that are not valid in the encoding.
    package var undecodable = 0
    /// Number of records before the next one, including blank ones.
    var records = 0
    /// Number of lines before the next record.
    var lines = 0
    /// Number of cells of the widest record so far; 0 before the first.
    var width = 0
    /// The number of records and lines before the record that the input ends within; nil if it ends with a
    /// complete record.
    package var cutOff: (records: Int, lines: Int)?

    package init() {}
}
