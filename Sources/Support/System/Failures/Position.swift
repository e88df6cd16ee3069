/// Position of a record in the input of a run.
///
/// The position after a record is also where the next one begins, so the same type serves for checkpoints and
/// for error messages.
package struct Position: Sendable, Hashable, Codable {
    /// Index of the file among the inputs of the run, from 0.
    package var file: Int
    /// Offset in bytes from the start of the file as it is on disk.
    package var byte: Int64
    /// Line number, from 1, as a text editor counts.
    package var line: Int
    /// Record number, from 1, as a spreadsheet counts rows: including header, blank and preamble records.
    package var record: Int

    /// The start of the first input.
    package static let start = Position(file: 0, byte: 0, line: 1, record: 1)

    /// A position. `line` and `record` count from 1.
    package init(file: Int = 0, byte: Int64, line: Int, record: Int) {
        self.file = file
        self.byte = byte
        self.line = line
        self.record = record
    }
}
