import Database
package import Pipeline

/// The job taken back and run again, in one transaction (design decision 10).
extension ResultsStore {
    /// Takes back what the job has stored (``JobRollback``): the batches that follow are its first ones again. Until
    /// ``keepRewound()`` nobody else sees any of it, and a kill leaves the library as it was.
    package func rewind() throws(StageFailure) {
        if let broken { throw broken }
        guard let current else { return }
        do throws(SQLiteError) {
            // Under WAL the library is read meanwhile.
            try StoreFile.finishFilling(connection)
            try connection.begin()
            do throws(SQLiteError) {
                try JobRollback(current.job, in: connection).run()
                // What the indexes hold in memory is no longer what is on disk.
                try readAgain()
                try tables.indexes.flush()
            } catch {
                connection.rollBack()
                throw error
            }
        } catch {
            broken = error.failure
            throw error.failure
        }
    }

    /// Keeps what the job has stored since it was taken back.
    package func keepRewound() throws(StageFailure) {
        do {
            try connection.commit()
            try PreviouslyCreated.end(in: connection)
        } catch {
            throw error.failure
        }
    }

    /// Leaves the library as it was before the job was taken back.
    package func dropRewound() throws(StageFailure) {
        connection.rollBack()
        broken = nil
        do { try readAgain() } catch {
            broken = error.failure
            throw error.failure
        }
    }

    /// Begins anew with what is on disk.
    private func readAgain() throws(SQLiteError) {
        layouts = [:]
        tables = try LibraryTables(connection, limits: limits.indexes)
        if let current { try take(current.job) }
    }
}
