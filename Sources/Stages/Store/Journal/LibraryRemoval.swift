import Database
import System

/// Finds the entries of one library, or some entries, and the works, editions, authors and candidates that only
/// they use.
///
/// Values that a shared work took from one of the entries stay; their source is then not known any more.
struct LibraryRemoval {
    let rows: PlannedRows
    private let connection: Connection
    /// The SQL condition for the entries.
    private let isRemoved: String
    /// The row id of the library; nil if only some of its entries are removed.
    private let library: Int64?
    private let history: RunHistory

    /// - Parameter library: The row id of the library.
    init(of library: Int64, _ history: RunHistory, in connection: Connection) {
        self.connection = connection
        self.library = library
        isRemoved = "library = \(library)"
        self.history = history
        rows = PlannedRows(connection: connection)
    }

    /// - Parameter entries: The row ids of the entries.
    init(ofEntries entries: [Int64], _ history: RunHistory, in connection: Connection) {
        self.connection = connection
        library = nil
        isRemoved = "id IN (\(entries.map(String.init).joined(separator: ", ")))"
        self.history = history
        rows = PlannedRows(connection: connection)
    }

    /// Finds the rows. Changes nothing.
    func gather() throws(ETLError) {
        try rows.begin()
        try connection.execute(
            """
            INSERT INTO gone_entries SELECT id FROM entries WHERE \(isRemoved);
            INSERT INTO gone_editions SELECT DISTINCT edition FROM entries WHERE \(isRemoved);
            DELETE FROM gone_editions WHERE id IN (SELECT edition FROM entries
                WHERE NOT (\(isRemoved)) AND edition IN (SELECT id FROM gone_editions));
            INSERT INTO gone_works SELECT DISTINCT d.work FROM gone_editions g JOIN editions d ON d.id = g.id;
            DELETE FROM gone_works WHERE EXISTS (SELECT 1 FROM editions e
                WHERE \(EditionsOfWork.condition(work: "gone_works.id", alias: "e."))
                AND e.id NOT IN (SELECT id FROM gone_editions));
            INSERT INTO gone_left_editions
                SELECT edition FROM left_editions WHERE edition IN (SELECT id FROM gone_editions);
            """)
        if let library {
            try connection.execute(
                "INSERT INTO gone_removed_entries SELECT id FROM removed_entries WHERE library = ?1", library)
        }
        try rows.addDependents()
        try connection.execute(
            """
            INSERT INTO gone_authors SELECT DISTINCT c.author FROM gone_contributors g
                JOIN contributors c ON c.id = g.id;
            DELETE FROM gone_authors WHERE id IN (SELECT author FROM contributors
                WHERE author IN (SELECT id FROM gone_authors) AND id NOT IN (SELECT id FROM gone_contributors));
            """)
        try gatherCandidates()
    }

    /// Finds the candidates that came with the library's jobs or that its works name, and that no other work
    /// or edition names.
    private func gatherCandidates() throws(ETLError) {
        if let library {
            var jobs: Set<Int64> = []
            let own = try connection.query("SELECT id FROM jobs WHERE library = ?1", library)
            while try own.next() { jobs.insert(own.integer(0)) }
            let created = history.created(.candidates, by: history.runs(of: jobs))
            try connection.execute("INSERT INTO gone_candidates SELECT id FROM (\(created.ids))")
        }
        let insert = try connection.prepare("INSERT OR IGNORE INTO gone_candidates VALUES (?1)")
        try visitCandidates(named: "IN") { (id) throws(ETLError) in
            try insert.run(id)
        }
        var records = RowSet()
        let found = try connection.prepare("SELECT id FROM gone_candidates")
        while try found.next() { records.insert(CandidateIDs.row(of: found.integer(0))) }
        found.reset()
        let keep = try connection.prepare("DELETE FROM gone_candidates WHERE id = ?1")
        try visitCandidates(named: "NOT IN") { (id) throws(ETLError) in
            guard records.contains(CandidateIDs.row(of: id)) else { return }
            try keep.run(id)
        }
    }

    /// Visits the candidates in the lineage of the works and editions that go, or of all others.
    ///
    /// - Parameter operator: `IN` for those that go, `NOT IN` for the others.
    private func visitCandidates(
        named operator: String, _ body: (Int64) throws(ETLError) -> Void
    ) throws(ETLError) {
        for table in [JournaledTable.works, .editions] {
            let read = try connection.prepare(
                "SELECT lineage FROM \(table.name) WHERE id \(`operator`) (SELECT id FROM \(PlannedRows.gone(table)))"
            )
            while try read.next() {
                for source in Lineage(decoding: read.bytes(0)).sources {
                    if case .candidate(let id) = source { try body(id) }
                }
            }
        }
    }
}
