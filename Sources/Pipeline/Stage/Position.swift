/// Where a record stands in the input of a run.
///
/// A position after a record is also where the next one begins, so the same value serves as a reader's
/// bookmark (a checkpoint) and as the address in an error message.
public struct Position: Sendable, Hashable, Codable {
    /// Index of the input among the inputs of the run, from 0.
    public var file: Int
    /// Offset in bytes from the start of that input as it lies on disk.
    public var byte: Int64
    /// Physical line, from 1, as a text editor counts.
    public var line: Int
    /// Record number, from 1, header, blank and preamble records counted, as a spreadsheet shows it.
    public var record: Int

    /// The start of the first input.
    public static let start = Position(file: 0, byte: 0, line: 1, record: 1)

    /// A position a source has counted up to; line and record from 1.
    public init(file: Int = 0, byte: Int64, line: Int, record: Int) {
        self.file = file
        self.byte = byte
        self.line = line
        self.record = record
    }
}
