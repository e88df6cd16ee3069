import CSQLite
import Glibc
package import System

/// An error of SQLite, which becomes an ``ETLError``. It contains the statement, but not the values bound to it.
struct SQLiteError {
    /// SQLite's extended result code.
    let code: Int32
    let message: String
    let sql: String?
    /// The database file.
    let path: String
    /// The system's error number of a failed call; 0 if it is not known.
    var systemError: Int32 = 0

    /// Path, message, code and the beginning of the statement.
    private var description: String {
        let at = sql.map { " in “\($0.prefix(120))”" } ?? ""
        return "\(path): \(message) (SQLite \(code))\(at)"
    }

    /// The primary result code.
    private var primaryCode: Int32 { code & 0xFF }

    /// Whether the statement only needs temporary space: a query that sorts rows, or a write to a temporary
    /// table for sorting keys.
    private var needsOnlyTemporarySpace: Bool {
        guard let sql else { return false }
        return sql.contains("INTO temp.") || sql.drop { $0.isWhitespace }.hasPrefix("SELECT")
    }

    /// `SQLITE_IOERR_SHMSIZE`: the index of the log cannot grow.
    private static let noRoomForIndex = SQLITE_IOERR | 19 << 8

    /// What callers that go on want to know.
    private var cause: DatabaseFault.Cause {
        switch primaryCode {
        case SQLITE_FULL: .full
        // The files of a database in WAL mode are made and grow when it is opened.
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            code == Self.noRoomForIndex || systemError == ENOSPC || systemError == EDQUOT ? .full : .other
        case SQLITE_BUSY, SQLITE_LOCKED: .locked
        case SQLITE_INTERRUPT: .interrupted
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_CORRUPT: .damaged
        // Of a database that is only read.
        case SQLITE_ERROR:
            ["no such table", "no such column", "vtable constructor failed"].contains(
                where: message.hasPrefix)
                ? .damaged : .other
        default: .other
        }
    }

    /// The failure that a run reports. Its kind decides the exit status and whether to retry.
    var failure: ETLError {
        var failure = sentence
        failure.fault = DatabaseFault(cause, message, path: path)
        return failure
    }

    private var sentence: ETLError {
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
        case _ where cause == .full:
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

extension ETLError {
    /// A transaction that was interrupted on request.
    package static func interrupted(_ path: String) -> ETLError {
        SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted", sql: nil, path: path).failure
    }

    /// A statement that should return a row returned none.
    package static func noRow(_ sql: String, _ path: String) -> ETLError {
        SQLiteError(code: SQLITE_INTERNAL, message: "no row was returned", sql: sql, path: path).failure
    }

    /// A stored value that no version writes.
    static func corrupt(_ message: String, _ path: String) -> ETLError {
        SQLiteError(code: SQLITE_CORRUPT, message: message, sql: nil, path: path).failure
    }

    /// Whether another connection kept the database locked for longer than the wait.
    package var isLock: Bool { fault?.cause == .locked }
    /// Whether a disk has no room for what was to be written, or for the files without which a database cannot be read.
    package var isFullDisk: Bool { fault?.cause == .full }
    /// Whether a statement was stopped on request.
    package var isInterrupt: Bool { fault?.cause == .interrupted }
    /// Whether a database that is only read is damaged: its pages or its schema.
    package var isDamage: Bool { fault?.cause == .damaged }
    /// Whether a file is not a database at all.
    package var isNotADatabase: Bool { fault?.cause == .notADatabase }
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
