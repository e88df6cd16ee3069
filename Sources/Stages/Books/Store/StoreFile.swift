import Bytes
package import Database
import Foundation
package import Pipeline

/// A results store on disk: made, opened, brought to this program's schema.
package enum StoreFile {
    /// While a store is filled, readers wait for the end of the open transaction.
    private static let readerWaitPolicy: UInt64 = 30_000

    /// Opens a store for writing, and makes it (mode 0600) if it is not there. An older store is copied beside
    /// itself before its schema is changed.
    ///
    /// - Parameter terms: How another program is waited for that has it locked.
    /// - Throws: `.missing` where the folder does not exist or the file is no results store; `.configuration` where
    ///   a newer program made it.
    package static func openForWriting(
        _ path: String, waiting terms: LockWaitPolicy = LockWaitPolicy()
    ) throws(StageFailure) -> Connection {
        if access(path, F_OK) != 0 {
            try make(StorePath.real(path))
        }
        do {
            let connection = try Connection(path, .readWrite)
            connection.waitWhenBusy(terms)
            try check(connection, path)
            if try connection.integer("PRAGMA application_id") != Schema.applicationID {
                // Large pages: a row of ours is a few hundred bytes and rows are appended.
                try connection.execute("PRAGMA page_size = 16384")
            }
            // An empty store is filled under a rollback journal: appended pages need no journal and are written once,
            // where WAL writes them twice. The journal keeps its length, so that a commit waits for what is written and not
            // for the file system's own journal. ``finishFilling(_:)`` goes over to WAL, as does the next opening.
            let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
            _ = try connection.string("PRAGMA journal_mode = \(isEmpty ? "PERSIST" : "WAL")")
            // Results and checkpoint are one transaction: after a power cut they roll back together.
            try connection.execute("PRAGMA synchronous = NORMAL")
            try connection.execute("PRAGMA cache_size = -16384")
            try connection.execute("PRAGMA temp_store = FILE")
            try migrate(connection, path)
            return connection
        } catch {
            throw StageFailure(of: error)
        }
    }

    /// Makes an empty file that is its owner's alone.
    ///
    /// - Throws: `.permission` or `.cannotCreate`, also where there is such a file.
    static func make(_ path: String) throws(StageFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw notCreated(path, errno) }
        close(descriptor)
    }

    /// The failure of a file that cannot be made beside a store, or in its place.
    ///
    /// - Parameter code: What the system said.
    static func notCreated(_ path: String, _ code: Int32) -> StageFailure {
        noFolder(for: path)
            ?? StageFailure(
                code == EACCES || code == EROFS ? .permission : .cannotCreate,
                "\(path) cannot be created: \(String(cString: strerror(code))).",
                advice: "Check the folder's permissions, or choose another store with \(UserSetting.store).")
    }

    /// The failure of a file whose folder is not there; nil where it is.
    package static func noFolder(for path: String) -> StageFailure? {
        let folder = FolderPath.of(path)
        guard access(folder, F_OK) != 0, errno == ENOENT else { return nil }
        return StageFailure(
            .cannotCreate, "\(path) cannot be created: there is no folder \(folder).",
            advice: "Create the folder, or choose another store with \(UserSetting.store).")
    }

    /// Goes over to WAL, under which readers and a writer do not wait for each other.
    static func finishFilling(_ connection: Connection) throws(SQLiteError) {
        _ = try connection.string("PRAGMA journal_mode = WAL")
    }

    /// Copies a store as it stands, whoever writes to it meanwhile, to a file that is not there yet (mode 0600).
    ///
    /// - Throws: What opening throws, and `permission`, `cannotCreate` or `inputOutput` where there is no room for
    ///   the copy.
    package static func copy(_ path: String, to copy: String) throws(StageFailure) {
        let connection = try openForReading(path)
        do {
            // The copy is written through this connection, the store is not.
            try connection.execute("PRAGMA query_only = OFF")
        } catch {
            throw error.failure
        }
        try StoreCopy.write(connection, to: copy)
    }

    /// Opens a store to be read while somebody may be writing to it, or after somebody was killed writing to it.
    ///
    /// Who may write the file opens it so that SQLite can take back what a killed run left half done; who may not
    /// gets it as it is.
    ///
    /// - Parameter terms: Whose stop ends waiting for another program that has it locked, and who is told.
    /// - Throws: `.missing` where there is no store; `.permission` where it may not be read.
    package static func openForReading(
        _ path: String, waiting terms: LockWaitPolicy = LockWaitPolicy()
    ) throws(StageFailure) -> Connection {
        guard let connection = try openIfStarted(path, waiting: terms) else {
            throw StageFailure(
                .missing, "There is no store \(path).",
                advice: "Import a file first, or name the store with \(UserSetting.store).")
        }
        return connection
    }

    /// Opens a store to be read; nil where there is none yet: no file, or the empty one that a run leaves that was
    /// killed as it made its store.
    ///
    /// - Throws: as ``openForReading(_:)``.
    package static func openIfStarted(
        _ path: String, waiting terms: LockWaitPolicy = LockWaitPolicy()
    ) throws(StageFailure) -> Connection? {
        guard access(path, F_OK) == 0 else { return nil }
        guard access(path, R_OK) == 0 else {
            throw StageFailure(
                .permission, "\(path) may not be read.",
                advice:
                    "Ask its owner for permission to read it, or choose another store with \(UserSetting.store)."
            )
        }
        do {
            let connection = try readingConnection(path, terms.with(waitPolicy: readerWaitPolicy))
            try check(connection, path)
            guard try connection.integer("PRAGMA application_id") == Schema.applicationID else { return nil }
            try connection.execute("PRAGMA cache_size = -16384")
            return connection
        } catch {
            throw StageFailure(of: error)
        }
    }

    private static func readingConnection(
        _ path: String, _ terms: LockWaitPolicy
    ) throws(SQLiteError) -> Connection {
        // SQLite keeps its files beside the store itself, not beside a link to it.
        let place = StorePath.real(path)
        let mayWrite = access(place, W_OK) == 0 && access(FolderPath.of(place), W_OK) == 0
        if mayWrite {
            let connection = try Connection(path, .reading)
            connection.waitWhenBusy(terms)
            return connection
        }
        do {
            let connection = try Connection(path, .readOnly)
            connection.waitWhenBusy(terms)
            _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
            return connection
        } catch {
            // A store in WAL mode wants its index of the log beside it, which cannot be made here. Without a log
            // there is nothing in one.
            guard access(place + "-wal", F_OK) != 0, access(place + "-journal", F_OK) != 0 else {
                throw error
            }
            return try Connection(path, .immutable)
        }
    }

    /// The failure of what was kept in a form that this version does not know.
    static func unreadable(_ what: String) -> StageFailure {
        StageFailure(
            .inputOutput, "The store holds \(what) in a form that cannot be read.",
            advice: "Check it with \(UserCommand.doctor). A newer version of etl may have written it.")
    }

    private static func notAStore(_ path: String) -> StageFailure {
        StageFailure(
            .missing, "\(path) is an SQLite database, but not a results store of etl.",
            advice: "Choose another file with \(UserSetting.store).")
    }

    /// Refuses what is no store of ours, and what a newer program made.
    private static func check(_ connection: Connection, _ path: String) throws(StageFailure) {
        let (id, tables, version) = try SQLiteError.reported { () throws(SQLiteError) in
            (
                try connection.integer("PRAGMA application_id") ?? 0,
                try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0,
                try connection.integer("PRAGMA user_version") ?? 0
            )
        }
        if id != Schema.applicationID && (id != 0 || tables > 0) { throw notAStore(path) }
        guard version <= Schema.migrations.count else {
            throw StageFailure(
                .configuration, "\(path) was made by a newer version of etl (schema \(version)).",
                advice: "Update etl; this version knows schemas up to \(Schema.migrations.count).")
        }
    }

    private static func migrate(_ connection: Connection, _ path: String) throws(StageFailure) {
        let version = try SQLiteError.reported { () throws(SQLiteError) in
            Int(try connection.integer("PRAGMA user_version") ?? 0)
        }
        guard version < Schema.migrations.count else { return }
        if version > 0 {
            let copy = "\(StorePath.real(path)).before-\(Schema.migrations[version].name)"
            if access(copy, F_OK) != 0 { try StoreCopy.keep(connection, at: copy) }
        }
        try SQLiteError.reported { () throws(SQLiteError) in
            for index in version..<Schema.migrations.count {
                try connection.transaction { () throws(SQLiteError) in
                    try connection.execute(Schema.migrations[index].sql)
                    try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
                    try connection.execute("PRAGMA user_version = \(index + 1)")
                }
            }
        }
    }
}

/// Where a store is, however its path is spelled.
package enum StorePath {
    /// The path without links, `.` and `..`: all spellings of one store come to the same.
    ///
    /// Of a file that is not there yet the folder is looked up, and a link to nowhere leads to where the file will be.
    /// What cannot be looked up stays as it is spelled.
    package static func real(_ path: String) -> String {
        var path = path
        for _ in 0..<linksFollowed {
            if let found = lookedUp(path) { return found }
            guard let folder = lookedUp(FolderPath.of(path)) else { return path }
            let file = (folder == "/" ? "" : folder) + "/" + (path.split(separator: "/").last ?? "")
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file) else {
                return file
            }
            path = target.hasPrefix("/") ? target : folder + "/" + target
        }
        return path
    }

    /// As many as the system follows before it takes them for a circle.
    private static let linksFollowed = 40

    private static func lookedUp(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        // A folder above may have a name that is no text; then the path stays as it is spelled, which works.
        return String(validatingCString: found)
    }
}

/// A copy of a store: its owner's alone, as the store is.
enum StoreCopy {
    /// Writes what a connection reads to a file that is not there yet.
    ///
    /// - Throws: `.permission`, `.cannotCreate` or `.inputOutput` where there is no place for the copy; then nothing is
    ///   left of it.
    static func write(_ connection: Connection, to path: String) throws(StageFailure) {
        // SQLite would make the file as the process's mask has it; an empty one it takes as it is.
        try StoreFile.make(path)
        do {
            try connection.execute("VACUUM INTO '\(path.replacingOccurrences(of: "'", with: "''"))'")
        } catch {
            discard(path)
            throw error.failure
        }
    }

    /// Writes a copy to be gone back to. It has its name only when it is whole and on the disk: a killed run leaves
    /// none that could be taken for one.
    static func keep(_ connection: Connection, at path: String) throws(StageFailure) {
        let part = path + ".part"
        discard(part)
        try write(connection, to: part)
        do throws(StageFailure) {
            try synchronize(part)
            guard rename(part, path) == 0 else { throw failure(path) }
        } catch {
            discard(part)
            throw error
        }
        try synchronize(FolderPath.of(path))
    }

    private static func discard(_ path: String) {
        for ending in ["", "-journal"] { unlink(path + ending) }
    }

    private static func synchronize(_ path: String) throws(StageFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> StageFailure {
        StageFailure(
            .inputOutput, "\(path) cannot be written: \(String(cString: strerror(errno))).",
            advice: "Check the disk and the folder's permissions.")
    }
}
