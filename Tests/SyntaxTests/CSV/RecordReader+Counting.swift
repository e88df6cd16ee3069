import System

@testable import Syntax

extension RecordReader {
    /// The number of records that are not blank, including the header and records over a limit.
    static func count(
        file path: String, dialect: Dialect, encoding: TextEncoding
    ) throws(ETLError) -> Int {
        var reader = try RecordReader(file: path, dialect: dialect, encoding: encoding)
        return try reader.countRest()
    }

    /// Reads to the end of the input and counts the records that are not blank, as a survey does.
    mutating func countRest() throws(ETLError) -> Int {
        var passed = SkippedRecords()
        while try passOn(counting: &passed, visiting: { _, _ in }) {}
        return passed.count
    }
}
