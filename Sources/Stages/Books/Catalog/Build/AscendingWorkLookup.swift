import Database

/// Looks up waiting works whose numbers mostly rise, and by little: it walks on a few rows before it searches, which
/// takes as long as five of them.
struct AscendingWorkLookup {
    private static let mostSteps = 4

    /// Number, authors and record of a work and of those behind it.
    private let rows: Statement
    /// Number of the work that the statement stands on; nil at the end.
    private var work: Int64?

    /// - Parameter records: A connection to the file in which records wait.
    init(_ records: Connection) throws(SQLiteError) {
        rows = try records.prepare("SELECT id, authors, body FROM work WHERE id >= ? ORDER BY id")
    }

    /// - Returns: The row of a work, until the next one is asked for; nil where there is none.
    mutating func find(_ id: Int64) throws(SQLiteError) -> Statement? {
        var steps = 0
        while let current = work, current < id, steps < Self.mostSteps {
            work = try rows.step() ? rows.integer(0) : nil
            steps += 1
        }
        if work != id {
            rows.reset()
            rows.bind(1, id)
            work = try rows.step() ? rows.integer(0) : nil
        }
        return work == id ? rows : nil
    }

    /// Leaves off.
    mutating func end() {
        rows.reset()
        work = nil
    }
}
