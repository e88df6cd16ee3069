import Database
package import System

extension ResultsStore {
    /// Maximum number of entries that one job removes. Their ids are in its statements.
    private static let untitledAtOnce = 10_000

    /// Removes the entries without a title that lists of books to look up have left, because no source had the books, and
    /// what only they use. Unlike books that the user removes, they are not left out of later imports.
    ///
    /// - Parameter name: The name of the repair's own job.
    /// - Returns: Nil if there are none. If there are many, some are left for the next call.
    package func removeUntitled(as name: String) throws(ETLError) -> LibraryChange? {
        try change { (keys) throws(ETLError) in
            let history = try RunHistory(connection)
            // Pending ones may still be found.
            let jobs = try jobTable.all().filter {
                $0.contractPipeline == .batchEnrichment && $0.hasRecords && $0.undoneBy == nil
                    && $0.pending == 0
            }
            guard let library = jobs.first?.library else { return nil }
            let created = history.created(.entries, by: history.runs(of: Set(jobs.map(\.id))))
            var entries: [Int64] = []
            let read = try connection.prepare(
                """
                SELECT e.id FROM (\(created.ids)) c JOIN entries e ON e.id = c.id JOIN editions d ON d.id = e.edition
                JOIN works w ON w.id = d.work WHERE coalesce(w.title, '') = '' AND coalesce(d.title, '') = ''
                LIMIT \(Self.untitledAtOnce)
                """)
            while try read.next() { entries.append(read.integer(0)) }
            read.reset()
            guard !entries.isEmpty else { return nil }
            let removal = LibraryRemoval(ofEntries: entries, history, in: connection)
            var options = JobOptions.none
            options.edit = EditNote(book: nil, books: entries.count, fields: 0)
            return try remove(
                removal, as: name, pipeline: Job.removePipeline, options, library: library, isDryRun: false
            ) { () throws(ETLError) in try apply(removal, keys, keeping: "'untitled:' || id") }
        }
    }
}
