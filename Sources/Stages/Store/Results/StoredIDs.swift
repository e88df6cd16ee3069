import Database
import System

/// Checks the row ids of a store when it is opened.
///
/// Ids are assigned in ascending order from 1. Code that uses them adds to them, shifts them and keeps sets of
/// them, so an id that no import can have assigned would make it overflow or need terabytes. The largest and
/// the smallest id of a table are found without reading the rows between them. Only the runs, a row for each job, are read.
package enum StoredIDs {
    /// Highest number of a record, counted over all imports into a store: key indexes have 41 bits for it
    /// (`TextKey`).
    package static let maxRow: Int64 = 1 << 40

    /// The tables with row ids, and the largest id of each.
    private static let tables: [(name: String, largest: Int64)] = [
        ("libraries", maxRow), ("jobs", maxRow), ("layouts", maxRow), ("works", maxRow), ("editions", maxRow),
        ("authors", maxRow), ("entries", maxRow), ("key_blocks", maxRow),
        ("contributors", ContributorIDs.id(work: maxRow, position: ContributorIDs.maxPerWork - 1)),
        ("candidates", CandidateIDs.last(ofRow: maxRow)),
    ]

    /// - Throws: `.inputOutput`, naming the table and the id, if a store has an impossible id.
    static func check(_ connection: Connection, _ path: String) throws(ETLError) {
        let impossible = try firstImpossible(in: connection)
        guard let impossible else { return }
        throw ETLError(
            .inputOutput, "`\(path)` is damaged: there cannot be a \(impossible).",
            advice: "Restore the store from a backup.")
    }

    private static func firstImpossible(in connection: Connection) throws(ETLError) -> String? {
        for table in tables {
            for end in ["min", "max"] {
                let id = try connection.integer("SELECT \(end)(id) FROM \(table.name)")
                if let id, !(1...table.largest).contains(id) { return "row \(id) in table `\(table.name)`" }
            }
        }
        let runs = try connection.prepare(
            "SELECT min(first_row), max(first_row), min(first_author), max(first_author) FROM runs")
        while try runs.next() {
            for column in Int32(0)..<4 where !runs.isNull(column) {
                let id = runs.integer(column)
                let name = column < 2 ? "row" : "author"
                if !(0...maxRow).contains(id) { return "run that began with \(name) \(id)" }
            }
        }
        let marks = try connection.prepare("SELECT name, row FROM flushed")
        while try marks.next() {
            let (name, row) = (marks.string(0), marks.integer(1))
            guard (0...CandidateIDs.last(ofRow: maxRow)).contains(row) else {
                return "row \(row) in the index of table `\(name)`"
            }
        }
        return nil
    }
}
