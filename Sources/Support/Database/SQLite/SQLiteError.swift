import CSQLite
import Glibc
package import System

/// An error of SQLite. It contains the statement, but not the values bound to it.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// SQLite's extended result code.
    package var code: Int32
    package var message: String
    package var sql: String?
    /// The database file.
    package var path: String

    /// Path, message, code and the beginning of the statement.
    package var description: String {
        let at = sql.map { " in “\($0.prefix(120))”" } ?? ""
        return "\(path): \(message) (SQLite \(code))\(at)"
    }

    /// A transaction that was interrupted on request.
    package static func interrupted(_ path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted", sql: nil, path: path)
    }

    /// A statement that should return a row returned none.
    package static func noRow(_ sql: String, _ path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_INTERNAL, message: "no row was returned", sql: sql, path: path)
    }

    /// A stored value that no version writes.
    static func corrupt(_ message: String, _ path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CORRUPT, message: message, sql: nil, path: path)
    }

    /// The primary result code.
    package var primaryCode: Int32 { code & 0xFF }

    /// Whether the statement was stopped on request.
    package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }

    /// Whether another connection kept the database locked for longer than the wait.
    package var isLock: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// Whether the statement only needs temporary space: a query that sorts rows, or a write to a temporary
    /// table for sorting keys.
    private var needsOnlyTemporarySpace: Bool {
        guard let sql else { return false }
        return sql.contains("INTO temp.") || sql.drop { $0.isWhitespace }.hasPrefix("SELECT")
    }

    /// Whether a database that is only read is damaged: its pages or its schema.
    package var isDamage: Bool {
        if primaryCode == SQLITE_CORRUPT { return true }
        let words = ["no such table", "no such column", "vtable constructor failed"]
        return primaryCode == SQLITE_ERROR && words.contains(where: message.hasPrefix)
    }

    /// Whether the file is not a database at all.
    package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }

    /// The failure that a run reports. Its kind decides the exit status and whether to retry.
    package var failure: ETLError {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            ETLError(
                .temporary, "`\(path)` is locked by another process.",
                advice: "Wait for it to end, then run the same command again.")
        case SQLITE_FULL where needsOnlyTemporarySpace:
            ETLError(
                .inputOutput,
                "The disk is full: SQLite needs more space for sorting in \(TemporaryDirectory.sqlite).",
                advice:
                    "Free some space there, or set SQLITE_TMPDIR to another folder, then run the same command "
                    + "again. Committed data is not lost.")
        case SQLITE_FULL:
            ETLError(
                .inputOutput, "The disk is full: `\(path)` cannot grow.",
                advice: "Free some space, then run the same command again. Committed data is not lost.")
        case SQLITE_IOERR:
            ETLError(
                .inputOutput, "Reading or writing `\(path)` failed: \(message) (SQLite \(code)).",
                advice: "Check the disk, then run the same command again.")
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            ETLError(
                .permission, "`\(path)` cannot be written: \(message).",
                advice: "Check the permissions of the file and its folder.")
        case SQLITE_INTERRUPT:
            ETLError(
                .temporary, "Writing `\(path)` was stopped. Unfinished changes were rolled back.",
                advice: "Run the same command again; it continues where it stopped.")
        case SQLITE_CANTOPEN:
            ETLError(
                .missing, "`\(path)` cannot be opened: \(message).",
                advice: "Check that it is a file, and that you can read it and its folder.")
        case SQLITE_NOTADB:
            ETLError(
                .missing, "`\(path)` is not an SQLite database.",
                advice: "Specify another file.")
        case SQLITE_CORRUPT:
            ETLError(
                .inputOutput, "`\(path)` is damaged: \(message).",
                advice: "Restore it from a backup.")
        // Our statements fit our tables, and each of our rows is new, unless something changed the file.
        case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            ETLError(
                .inputOutput, "`\(path)` is damaged, or another program changed it: \(description).",
                advice: "Restore it from a backup. If it is intact, please report this bug.")
        default:
            ETLError(.bug, description, advice: "Please report this bug.")
        }
    }
}

extension SQLiteError {
    /// Runs `body` and converts its errors to failures that a command reports.
    package static func reported<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(ETLError) -> Result {
        do { return try body() } catch { throw error.failure }
    }
}

extension Connection {
    /// Runs `body` in a transaction, which is rolled back if it throws. SQLite's errors become failures that
    /// a command reports.
    package func reportedTransaction<Result>(
        _ body: () throws(ETLError) -> Result
    ) throws(ETLError) -> Result {
        try SQLiteError.reported { () throws(SQLiteError) in try begin() }
        do throws(ETLError) {
            let result = try body()
            try SQLiteError.reported { () throws(SQLiteError) in try commit() }
            return result
        } catch {
            rollBack()
            throw error
        }
    }
}

extension ETLError {
    /// A failure from an error that is either a failure or an error of SQLite. Any other error is a bug.
    package init(of error: any Error) {
        switch error {
        case let failure as ETLError: self = failure
        case let error as SQLiteError: self = error.failure
        default: self.init(.bug, "\(error)")
        }
    }
}

/// The folder of SQLite's temporary files, which are mainly used for sorting.
enum TemporaryDirectory {
    /// The temporary folder of this process.
    static var sqlite: String {
        first(of: [
            ProcessTexts.variable("SQLITE_TMPDIR"), ProcessTexts.variable("TMPDIR"), "/var/tmp", "/usr/tmp",
            "/tmp",
        ])
    }

    /// The first writable folder, as SQLite chooses it; the current folder if none is writable.
    static func first(of folders: [String?]) -> String {
        let found = folders.compactMap(\.self).first { folder in
            var status = stat()
            return FileSystem.stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                && FileSystem.access(folder, W_OK | X_OK) == 0
        }
        return found ?? "."
    }
}
