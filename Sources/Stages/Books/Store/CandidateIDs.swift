/// The ids of candidates: those of a record stand together.
enum CandidateIDs {
    private static let bits: Int64 = 8
    /// Candidates of a record at the most.
    static let mostOfRecord = 1 << 8

    /// - Parameters:
    ///   - row: The record's number.
    ///   - number: The candidate's among those of the record, below ``mostOfRecord``.
    static func id(row: Int64, number: Int) -> Int64 { row << bits | Int64(number) }

    /// The number of the record whose candidate has an id.
    static func row(of id: Int64) -> Int64 { id >> bits }
    static func last(ofRow row: Int64) -> Int64 { id(row: row, number: mostOfRecord - 1) }
}
