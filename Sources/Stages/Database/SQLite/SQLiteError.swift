import CSQLite
import Glibc
package import Pipeline

/// An answer of SQLite other than "done". It names the statement and hides the values bound to it.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// SQLite's extended result code.
    package var code: Int32
    package var message: String
    package var sql: String?
    /// The database file.
    package var path: String

    /// Path, message and code, with the beginning of the statement.
    public var description: String {
        let at = sql.map { " in “\($0.prefix(120))”" } ?? ""
        return "\(path): \(message) (SQLite \(code))\(at)"
    }

    /// A transaction that was left on request.
    package static func interrupted(_ path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted", sql: nil, path: path)
    }

    /// A statement that returns a row returned none.
    package static func noRow(_ sql: String, _ path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_INTERNAL, message: "no row came back", sql: sql, path: path)
    }

    /// The primary code, without the extension.
    package var primaryCode: Int32 { code & 0xFF }

    /// Whether another connection had the database for longer than it was waited for.
    package var isLock: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// Whether the statement makes nothing grow but what SQLite keeps aside: a question whose rows are sorted, or keys
    /// that are.
    private var isOfSorting: Bool {
        guard let sql else { return false }
        return sql.contains("INTO temp.") || sql.drop { $0.isWhitespace }.hasPrefix("SELECT")
    }

    /// Whether a database that is only read is not what it was when it was written: its pages or its schema were hit.
    package var isDamage: Bool {
        if primaryCode == SQLITE_CORRUPT { return true }
        let words = ["no such table", "no such column", "vtable constructor failed"]
        return primaryCode == SQLITE_ERROR && words.contains(where: message.hasPrefix)
    }

    /// The failure a run reports: what kind it is decides the exit status and whether it is tried again.
    package var failure: StageFailure {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            StageFailure(
                .temporary, "\(path) is locked by another process.",
                advice: "Wait for the other run to end, then start this one again.")
        case SQLITE_FULL where isOfSorting:
            StageFailure(
                .inputOutput,
                "The disk is full: \(TemporaryDirectory.sqlite), where SQLite sorts, has no more room.",
                advice:
                    "Free some space there, or name another folder in SQLITE_TMPDIR, and resume; nothing that was "
                    + "committed is lost.")
        case SQLITE_FULL:
            StageFailure(
                .inputOutput, "The disk is full: \(path) cannot grow.",
                advice: "Free some space and resume; nothing that was committed is lost.")
        case SQLITE_IOERR:
            StageFailure(
                .inputOutput, "Reading or writing \(path) failed: \(message) (SQLite \(code)).",
                advice: "Check the disk, then resume.")
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            StageFailure(
                .permission, "\(path) cannot be written: \(message).",
                advice: "Check the permissions of the file and its folder.")
        case SQLITE_INTERRUPT:
            StageFailure(
                .temporary, "Writing \(path) was stopped; what was half done is undone.",
                advice: "Start it again: it goes on where it stopped.")
        case SQLITE_CANTOPEN:
            StageFailure(
                .missing, "\(path) cannot be opened: \(message).",
                advice: "Check that the folder exists and can be read.")
        case SQLITE_NOTADB:
            StageFailure(
                .missing, "\(path) is not an SQLite database.",
                advice: "Choose another file.")
        case SQLITE_CORRUPT:
            StageFailure(
                .inputOutput, "\(path) is damaged: \(message).",
                advice: "Restore it from a backup.")
        default:
            StageFailure(.bug, description, advice: "Please report this.")
        }
    }
}

extension SQLiteError {
    /// Runs a body, its errors as what a command reports.
    package static func reported<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(StageFailure) -> Result {
        do { return try body() } catch { throw error.failure }
    }
}

extension Connection {
    /// Runs a body in a transaction that is rolled back when it throws, SQLite's errors as what a command reports.
    package func reportedTransaction<Result>(
        _ body: () throws(StageFailure) -> Result
    ) throws(StageFailure) -> Result {
        try SQLiteError.reported { () throws(SQLiteError) in try begin() }
        do throws(StageFailure) {
            let result = try body()
            try SQLiteError.reported { () throws(SQLiteError) in try commit() }
            return result
        } catch {
            rollBack()
            throw error
        }
    }
}

extension StageFailure {
    /// What a command reports of an error of a body in which both SQLite and what stands on it may fail.
    package init(of error: any Error) {
        switch error {
        case let failure as StageFailure: self = failure
        case let error as SQLiteError: self = error.failure
        default: self.init(.bug, "\(error)")
        }
    }
}

/// The folder in which SQLite keeps what it has no room for in memory, rows to be sorted above all.
enum TemporaryDirectory {
    /// That of this process.
    static var sqlite: String {
        first(of: [named("SQLITE_TMPDIR"), named("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp"])
    }

    /// The first folder that can be written, which is how SQLite chooses; this one where none can.
    static func first(of folders: [String?]) -> String {
        let found = folders.compactMap(\.self).first { folder in
            var status = stat()
            return stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                && access(folder, W_OK | X_OK) == 0
        }
        return found ?? "."
    }

    private static func named(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
}
