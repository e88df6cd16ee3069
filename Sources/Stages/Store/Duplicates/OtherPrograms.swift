package import Database
package import System

/// The number of books that a library has from another program as well. An import keeps entries of different programs
/// apart, unless it joins them: after the export of a second program, every book is there twice.
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
        // Most stores have the files of one program, and then there is nothing to look for.
        guard job.counts.booksCreated > 0, job.undoneBy == nil,
            try connection.integer("SELECT count(DISTINCT format) FROM layouts") ?? 0 > 1
        else { return [] }
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
