package import Pipeline
package import Syntax

/// A format with a syntax of its own: MARC, JSON, a database. It knows its files by their bytes, and brings the
/// stream that turns them into records with cells under columns of stable names; from there on they are treated
/// like any others (<doc:AddingAFormat>).
package protocol StructuredFormat: LibraryFormat {
    /// What in a file's first bytes tells that it is of this format, as one sentence for the reader; nil where
    /// nothing does. Cheap: it is asked of every file.
    ///
    /// - Parameter head: The first 64 KiB, unpacked, or the whole of a shorter file.
    func evidence(in head: [UInt8]) -> String?

    /// The columns of a file's records, in the order of their cells. The same names in the same order for every
    /// file that can be: entries of the store keep their cells under them.
    func columns(of file: InputFile) throws(StageFailure) -> [String]

    /// The records of a file, from its start or from a ``RecordStream/position`` of an earlier stream.
    ///
    /// - Throws: `unusableInput` for a file that is damaged as a whole, `inputOutput` if it cannot be read.
    func records(
        of file: InputFile, index: Int, limits: RecordLimits, from start: Position
    ) throws(StageFailure) -> any RecordStream & ~Copyable

    /// The cells of one record's bytes, as its reject keeps them; nil where they cannot be told apart any more.
    func cells(ofRaw raw: [UInt8]) -> [[UInt8]]?
}

extension StructuredFormat {
    /// No header of delimited text is one of these.
    package func score(_ header: HeaderNames) -> Double { 0 }

    package func cells(ofRaw raw: [UInt8]) -> [[UInt8]]? { nil }
}
