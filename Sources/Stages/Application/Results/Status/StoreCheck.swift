import Books
package import Database
package import Pipeline

/// Whether a store is whole: `etl doctor`.
package struct StoreCheck {
    /// Something that is wrong.
    package struct Problem: Sendable, Hashable {
        /// What was checked: `aliases`, `integrity`.
        package var check: String
        /// Rows concerned.
        package var count: Int
        /// What is wrong, in one sentence.
        package var sentence: String
    }

    /// Rows that point at rows, and what it means when those are not there.
    private static let references: [(check: String, sql: String, sentence: String)] = [
        (
            "editions", "editions a WHERE NOT EXISTS (SELECT 1 FROM works b WHERE b.id = a.work)",
            "Editions belong to works that are not there."
        ),
        (
            "entries", "entries a WHERE NOT EXISTS (SELECT 1 FROM editions b WHERE b.id = a.edition)",
            "Readers' entries name editions that are not there."
        ),
        (
            "layouts", "entries a WHERE NOT EXISTS (SELECT 1 FROM layouts b WHERE b.id = a.layout)",
            "Readers' entries have cells under columns that are not there."
        ),
        (
            "libraries", "entries a WHERE NOT EXISTS (SELECT 1 FROM libraries b WHERE b.id = a.library)",
            "Readers' entries belong to libraries that are not there."
        ),
        (
            "contributors",
            "contributors a WHERE NOT EXISTS (SELECT 1 FROM works b WHERE b.id = \(ContributorIDs.work(alias: "a.")))",
            "Contributors belong to works that are not there."
        ),
        (
            "authors", "contributors a WHERE NOT EXISTS (SELECT 1 FROM authors b WHERE b.id = a.author)",
            "Works name authors who are not there."
        ),
        (
            "aliases", "aliases a WHERE NOT EXISTS (SELECT 1 FROM works b WHERE b.id = a.work)",
            "Keys of folded works lead to works that are not there."
        ),
        (
            "jobs",
            """
            jobs a WHERE a.rejected <> (SELECT count(*) FROM rejects WHERE job = a.id)
            OR a.created + a.updated + a.duplicates <> (SELECT coalesce(sum(count), 0) FROM record_runs WHERE job = a.id)
            """,
            "Jobs count other records than they have."
        ),
    ]

    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// Checks the file page by page and every reference between rows; no problem means that all is well.
    ///
    /// - Throws: Where the store cannot even be read.
    package func problems() throws(StageFailure) -> [Problem] {
        try connection.snapshot { () throws(StageFailure) in
            var problems: [Problem] = []
            let integrity = try connection.question("PRAGMA integrity_check(20)")
            while try integrity.next() {
                let finding = integrity.string(0)
                if finding != "ok" {
                    problems.append(Problem(check: "integrity", count: 1, sentence: finding))
                }
            }
            for reference in Self.references {
                let count = try connection.number("SELECT count(*) FROM \(reference.sql)")
                guard count > 0 else { continue }
                problems.append(
                    Problem(check: reference.check, count: Int(count), sentence: reference.sentence))
            }
            let lost = try lostEntries()
            if lost > 0 {
                problems.append(
                    Problem(
                        check: "records", count: lost,
                        sentence: "Records of jobs name entries that are not there."))
            }
            return problems
        }
    }

    /// Records whose entry is not there.
    private func lostEntries() throws(StageFailure) -> Int {
        var present = RowSet(largest: try connection.number("SELECT max(id) FROM entries"))
        let entries = try connection.question("SELECT id FROM entries")
        while try entries.next() { present.insert(entries.integer(0)) }
        var lost = 0
        do throws(SQLiteError) {
            let runs = try RecordOutcomesReader(newestJobsFirst: connection)
            while let run = try runs.next() {
                lost += run.records.count { !present.contains($0.entry) }
            }
        } catch {
            throw error.failure
        }
        return lost
    }
}
