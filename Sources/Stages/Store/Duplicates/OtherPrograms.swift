package import Database
package import System

/// Books of which a library has entries from several programs. An import keeps them apart unless it joins them, so whoever
/// adds the export of a second program has every book twice.
package struct OtherPrograms: Sendable, Hashable {
    /// The format of the older entries: `goodreads`.
    package var format: String
    /// Number of newer entries of the same works.
    package var count: Int

    package init(format: String, count: Int) {
        self.format = format
        self.count = count
    }

    /// The entries that a job has created of works that its library already had from other programs, the most frequent
    /// format first. The cost grows with the job, not with the library.
    ///
    /// - Parameter connection: A store opened for reading.
    package static func read(of job: Job, in connection: Connection) throws(ETLError) -> [OtherPrograms] {
        guard job.counts.booksCreated > 0, job.undoneBy == nil else { return [] }
        let history = try RunHistory(connection)
        let created = history.created(.entries, by: history.runs(of: [job.id]))
        // A work has the id of the entry with which it was created.
        let rows = try connection.query(
            """
            SELECT p.format, count(*) FROM (\(created.ids)) c CROSS JOIN entries e ON e.id = c.id
                JOIN layouts l ON l.id = e.layout JOIN editions d ON d.id = e.edition
                JOIN entries o ON o.id = d.work JOIN layouts p ON p.id = o.layout
            WHERE o.id < e.id AND o.library = e.library AND p.format <> l.format
            GROUP BY p.format ORDER BY count(*) DESC, p.format
            """)
        var found: [OtherPrograms] = []
        while try rows.next() { found.append(.init(format: rows.string(0), count: Int(rows.integer(1)))) }
        return found
    }
}
