import Books
import Database
import Pipeline

/// Reads the cells of readers' entries, as the export had them.
struct EntryCells {
    /// An entry's cells and the names they stand under.
    struct Cells {
        var profile: String
        var names: [String]
        var cells: [String]
    }

    private let question: Statement

    init(_ connection: Connection) throws(StageFailure) {
        question = try connection.question(
            """
            SELECT e.cells, e.review, y.profile, y.columns FROM entries e JOIN layouts y ON y.id = e.layout
            WHERE e.id = ?1
            """)
    }

    /// An entry's cells; nil where there is no such entry.
    func cells(of entry: Int64) throws(StageFailure) -> Cells? {
        question.bind(1, entry)
        defer { question.reset() }
        guard try question.next() else { return nil }
        let review = question.string(1)
        return Cells(
            profile: question.string(2), names: question.withBytes(3) { StoredList.strings($0) },
            cells: question.withBytes(0) { PackedCells.cells($0, keptApart: review) })
    }
}
