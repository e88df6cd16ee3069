package import Database
import Store
package import System

/// Checks whether a store is intact: `etl doctor`.
package struct StoreCheck {
    /// A defect of the store.
    package struct Problem: Sendable, Hashable {
        /// Name of the check: `aliases`, `integrity`.
        package var check: String
        /// Number of rows concerned.
        package var count: Int
        /// The problem, in one sentence.
        package var sentence: String
    }

    /// References between rows, and what it means if the referenced row is missing.
    private static let references: [(check: String, sql: String, sentence: String)] = [
        (
            "editions", "editions a WHERE NOT EXISTS (SELECT 1 FROM works b WHERE b.id = a.work)",
            "Editions refer to missing works."
        ),
        (
            "entries", "entries a WHERE NOT EXISTS (SELECT 1 FROM editions b WHERE b.id = a.edition)",
            "Entries refer to missing editions."
        ),
        (
            "layouts", "entries a WHERE NOT EXISTS (SELECT 1 FROM layouts b WHERE b.id = a.layout)",
            "Entries refer to missing column layouts."
        ),
        (
            "libraries", "entries a WHERE NOT EXISTS (SELECT 1 FROM libraries b WHERE b.id = a.library)",
            "Entries refer to missing libraries."
        ),
        (
            "contributors",
            "contributors a WHERE NOT EXISTS (SELECT 1 FROM works b WHERE b.id = \(ContributorIDs.work(alias: "a.")))",
            "Contributors refer to missing works."
        ),
        (
            "authors", "contributors a WHERE NOT EXISTS (SELECT 1 FROM authors b WHERE b.id = a.author)",
            "Works refer to missing authors."
        ),
        (
            "aliases", "aliases a WHERE NOT EXISTS (SELECT 1 FROM works b WHERE b.id = a.work)",
            "Aliases of merged works refer to missing works."
        ),
    ]

    /// The records of undone jobs are deleted when they are old.
    private static let jobs = """
        jobs a WHERE a.mode <> 'refresh' AND (a.rejected <> (SELECT count(*) FROM rejects WHERE job = a.id)
            OR a.created + a.updated + a.duplicates <>
                (SELECT coalesce(sum(count), 0) FROM record_runs WHERE job = a.id))
            AND NOT (a.undone_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM rejects WHERE job = a.id)
            AND NOT EXISTS (SELECT 1 FROM record_runs WHERE job = a.id))
        """

    /// Invariants of the journal.
    private static let journal: [(check: String, sql: String, sentence: String)] = [
        (
            "journal",
            "(\(imageRuns)) a WHERE a.run NOT IN (SELECT id FROM runs WHERE first_author IS NOT NULL)",
            "Before-images refer to missing runs, or to runs of which none are kept."
        ),
        (
            "runs", "runs a WHERE a.job NOT IN (SELECT id FROM jobs)", "Runs refer to missing jobs."
        ),
        (
            "runs",
            "runs a WHERE EXISTS (SELECT 1 FROM runs b WHERE b.id = a.id + 1 AND b.first_row < a.first_row)",
            "Runs are not in the order of the rows that they created."
        ),
        (
            "jobs", "jobs a WHERE a.undone_by NOT IN (SELECT id FROM jobs)",
            "Undone jobs refer to missing jobs."
        ),
    ]

    /// Invariants of the user's edits.
    private static let edits: [(check: String, sql: String, sentence: String)] =
        EditableField.Part.allCases.map { part in
            (
                "edits",
                "edits a WHERE a.part = \(part.rawValue) AND (a.id >> 8) NOT IN (SELECT id FROM \(part.table.name))",
                "Fields that were set or locked refer to missing rows."
            )
        } + [
            (
                "edits", "removed_entries a WHERE a.id IN (SELECT id FROM entries)",
                "Removed entries are still there."
            )
        ]

    /// Invariants of refreshes.
    private static let refreshes = (
        check: "refreshes", sql: "refreshes a WHERE a.edition NOT IN (SELECT id FROM editions)",
        sentence: "Refreshes refer to missing editions."
    )

    private static let imageRuns = JournaledTable.allCases.map { "SELECT run FROM \($0.images)" }
        .joined(separator: " UNION ALL ")

    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// Checks the file page by page and every reference between rows. An empty result means that the store is
    /// intact.
    ///
    /// - Throws: If the store cannot be read.
    package func problems() throws(ETLError) -> [Problem] {
        try connection.snapshot { () throws(ETLError) in
            var problems: [Problem] = []
            let integrity = try connection.query("PRAGMA integrity_check(20)")
            while try integrity.next() {
                let finding = integrity.string(0)
                if finding != "ok" {
                    problems.append(Problem(check: "integrity", count: 1, sentence: finding))
                }
            }
            let counts = [
                ("jobs", Self.jobs, "The counts of jobs differ from the number of their records.")
            ]
            for reference in Self.references + counts + Self.journal + Self.edits + [Self.refreshes] {
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
                        sentence: "Records of jobs refer to missing entries."))
            }
            return problems
        }
    }

    /// Number of records whose entry is missing.
    private func lostEntries() throws(ETLError) -> Int {
        var present = RowSet()
        let entries = try connection.query("SELECT id FROM entries UNION ALL SELECT id FROM removed_entries")
        while try entries.next() { present.insert(entries.integer(0)) }
        var lost = 0
        let runs = try PackedOutcomesReader(newestJobsFirst: connection)
        while let run = try runs.next() {
            lost += run.records.count { !present.contains($0.entry) }
        }
        return lost
    }
}
