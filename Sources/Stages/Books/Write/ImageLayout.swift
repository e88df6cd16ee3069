import Database

/// The tables of a batch's image, in the order in which they are copied.
enum ImageLayout: Int, CaseIterable {
    case works, editions, contributors, entries, candidates

    static let tables = allCases
    var name: String { String(describing: self) }

    /// The ids that the rows of records have in the table.
    ///
    /// - Parameter rows: The records' numbers (``RowNumbers``).
    func ids(ofRows rows: ClosedRange<Int64>) -> ClosedRange<Int64> {
        switch self {
        case .works, .editions, .entries: rows
        case .contributors:
            ContributorIDs.id(
                work: rows.lowerBound, position: 0)...ContributorIDs.id(
                    work: rows.upperBound, position: ContributorIDs.mostOfWork - 1)
        case .candidates:
            CandidateIDs.id(row: rows.lowerBound, number: 0)...CandidateIDs.last(ofRow: rows.upperBound)
        }
    }

    private var sql: String {
        switch self {
        case .works: BookTables.works
        case .editions: BookTables.editions
        case .contributors: BookTables.contributors
        case .entries: BookTables.entries
        case .candidates: BookTables.candidates
        }
    }

    /// What an image is laid out by.
    static let imageTables = tables.map { table in
        ImageWriter.Table(
            name: table.name, sql: table.sql,
            // A new edition has its work's id.
            emptyIndex: table == .editions ? ("editions_work", BookTables.editionsOfOtherWorks) : nil)
    }

    private static let roots = ImageWriter.roots(of: imageTables)

    /// The page number of the table's root.
    var root: Int { Self.roots[rawValue] }
}
