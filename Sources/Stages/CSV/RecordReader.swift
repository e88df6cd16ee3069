package import Pipeline

/// Reads a CSV file record by record into a batch's arena, in bounded memory.
package struct RecordReader: ~Copyable {
    /// After the last record handed out, where a later reader resumes: the offset is that of the bytes on disk.
    package private(set) var position: Position

    /// - Parameters:
    ///   - fileIndex: Index of the file among the inputs of the run.
    ///   - start: Where to read from: the beginning (a byte order mark is passed over), or a ``position`` of an
    ///     earlier reader of the same file.
    /// - Throws: `missing` if the file cannot be opened.
    package init(
        file path: String, fileIndex: Int = 0, dialect: Dialect, encoding: TextEncoding,
        limits: RecordLimits = .standard, from start: Position = .start
    ) throws(StageFailure) {
        position = start
    }

    /// Reads on, appending records, their cells and their bytes.
    ///
    /// - Parameters:
    ///   - maxRecords: Stops after so many records.
    ///   - maxBytes: Stops after the record with which the records' bytes reach this many.
    /// - Returns: false at the end of the input, when nothing was appended.
    package mutating func fill(
        arena: inout Arena, cells: inout [Text], records: inout [Record], maxRecords: Int, maxBytes: Int
    ) throws(StageFailure) -> Bool {
        false
    }
}
