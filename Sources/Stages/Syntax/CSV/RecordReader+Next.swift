package import Bytes
package import Pipeline

extension RecordReader {
    /// Reads one record by itself, for who looks at few: its cells point into an arena of its own.
    ///
    /// - Returns: The record, blank and over-limit ones among them; nil at the end of the input.
    /// - Throws: `inputOutput` if the file cannot be read.
    package mutating func next() throws(StageFailure) -> (record: Record, cells: [Text], arena: Arena)? {
        var arena = Arena()
        var cells: [Text] = []
        var records: [Record] = []
        guard try fill(arena: &arena, cells: &cells, records: &records, maxRecords: 1, maxBytes: 1),
            let record = records.first
        else { return nil }
        return (record, cells, arena)
    }
}
