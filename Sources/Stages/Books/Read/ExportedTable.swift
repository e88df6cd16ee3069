import Pipeline

/// A table that etl exported and that is no list of a reader's books: it has titles, and would be taken for one.
enum ExportedTable: String, CaseIterable {
    case works, editions, authors

    /// The table that a header is of.
    init?(_ header: HeaderNames) {
        let keys = Set(header.keys)
        guard let table = Self.allCases.first(where: { keys.isSuperset(of: $0.telling) }) else { return nil }
        self = table
    }

    /// Columns that no other table has together, as ``HeaderNames`` compares them.
    private var telling: [String] {
        switch self {
        case .works: ["id", "subjecttags", "synthetic", "reviewstatus"]
        case .editions: ["id", "workid", "editiondescription", "amazonasins"]
        case .authors: ["key", "name", "culturalregion", "identification"]
        }
    }

    /// Why a file of it is not imported.
    func refusal(of path: String) -> StageFailure {
        StageFailure(
            .unusableInput,
            "\(path) is an exported table of \(rawValue), which cannot be imported.",
            advice: "Export the table of books instead: \(UserCommand.exportTable).")
    }
}
