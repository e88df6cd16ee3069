import Database
package import System

/// Rolling the job back and running it again, in one transaction (Decision 0010).
extension ResultsStore {
    /// Removes what the job has stored (``JobRollback``). The following batches start again with its first
    /// one. Until ``commitRollback()`` the changes are not visible to others, and a kill leaves the library as
    /// it was.
    package func beginRollback() throws(ETLError) {
        if let broken { throw broken }
        guard let current else { return }
        do throws(ETLError) {
            // In WAL mode the library can be read meanwhile.
            try StoreFile.finishFilling(connection)
            try connection.begin()
            do throws(ETLError) {
                try JobRollback(current.job, in: connection).run()
                // The indexes in memory no longer match the disk.
                try readAgain()
                try tables.indexes.flush()
            } catch {
                connection.rollBack()
                throw error
            }
        } catch {
            broken = error
            throw error
        }
    }

    /// Commits what the job has stored since the rollback.
    package func commitRollback() throws(ETLError) {
        try connection.commit()
        try PreviouslyCreated.end(in: connection)
    }

    /// Restores the library as it was before the rollback.
    package func discardRollback() throws(ETLError) {
        connection.rollBack()
        broken = nil
        do { try readAgain() } catch {
            broken = error
            throw error
        }
    }

    /// Reads everything from disk again.
    private func readAgain() throws(ETLError) {
        layouts = [:]
        tables = try LibraryTables(connection, limits: limits)
        if let current { try take(current.job) }
    }
}
