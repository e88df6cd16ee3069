import CSQLite
package import System

extension Connection {
    /// Copies the database into an empty file, page by page: one state of it, whatever other processes commit meanwhile.
    /// In a transaction, that is the state which the transaction sees.
    ///
    /// The copy is one file, without a log. It is not synced.
    ///
    /// - Throws: `.inputOutput` if the disk is full, or if reading or writing fails.
    package func copy(to path: String) throws(ETLError) {
        let copy = try Connection(path, .readWrite)
        // The file is worth nothing until it is complete. No other process has it open, so its log needs no shared index.
        try copy.execute("PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
        // A kill would leave a journal beside it.
        _ = try copy.string("PRAGMA journal_mode = OFF")
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw copy.error(sqlite3_extended_errcode(copy.handle), nil)
        }
        let outcome = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard outcome == SQLITE_DONE, end == SQLITE_OK else {
            let code = end == SQLITE_OK ? outcome : end
            throw SQLiteError(
                code: code, message: FileName.text(of: sqlite3_errstr(code)), sql: nil, path: path
            ).failure
        }
        // The pages say how the original keeps its log.
        _ = try copy.string("PRAGMA journal_mode = DELETE")
    }
}
