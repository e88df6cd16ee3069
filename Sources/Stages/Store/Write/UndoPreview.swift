import Database
package import System

/// Finds out what an undo would change, on one state of the store and without locking it: jobs go on meanwhile.
///
/// The undo itself finds it out again, and may then be refused because of a later job.
package enum UndoPreview {
    /// What undoing jobs would change.
    ///
    /// - Parameters:
    ///   - names: Names of the jobs.
    ///   - withLater: Whether later jobs that have built on them would be undone as well.
    ///   - stop: Ends the search when it is raised.
    /// - Throws: As ``ResultsStore/undo(_:)``; also `.missing` if there is no store.
    package static func change(
        undoing names: [String], withLater: Bool, in store: String, stop: StopSignal = StopSignal()
    ) throws(ETLError) -> LibraryChange {
        let connection = try StoreFile.openForReading(store)
        // The rows are gathered in temporary tables.
        try connection.admitTemporaryTables()
        return try connection.interrupting(at: stop) { () throws(ETLError) in
            try connection.snapshot { () throws(ETLError) in
                try change(undoing: names, withLater: withLater, in: connection)
            }
        }
    }

    private static func change(
        undoing names: [String], withLater: Bool, in connection: Connection
    ) throws(ETLError) -> LibraryChange {
        let keys = ReversedKeys(
            connection: connection,
            indexes: try LibraryIndexes(connection, limits: .init(), readOnly: true),
            mostRemoved: ReversedKeys.mostRemoved)
        return try UndoTargets.gathered(names, withLater: withLater, keys, in: connection).change
    }
}

extension UndoTargets {
    /// What undoing them changes, once their reversal has been gathered. It has no job yet.
    var change: LibraryChange {
        get throws(ETLError) {
            LibraryChange(job: nil, undone: jobs, redone: redone, rows: try reversal.rows.counts())
        }
    }
}
