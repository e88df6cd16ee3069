import Books
package import Database
import FoundationEssentials
import Glibc
import Pipeline
package import System

/// A store on disk: creates it and opens it.
package enum StoreFile {
    /// Suffixes of a store's files: the store, SQLite's files, the lock.
    package static let endings = ["", "-wal", "-shm", "-journal", ".lock"]

    /// Suffix of a file which shows that a path is or was a store in use: SQLite would apply its log to another database in that
    /// place. Nil if there is none.
    package static func traceOfUse(of path: String) -> String? {
        let place = StorePath.real(path)
        return endings.dropFirst().first { FileSystem.access(place + $0, F_OK) == 0 }
    }
    /// Maximum length of a new store's name in bytes. The longest name of a file next to it is that of saved standard
    /// input, with a period, a UUID of 36 characters and `.stdin`.
    private static let longestName = FileName.longest - 1 - 36 - ".stdin".utf8.count

    /// Milliseconds a reader waits for another program's lock. While a store is filled, that can last until
    /// the open transaction ends.
    private static let readerWaitMilliseconds: UInt64 = 30_000

    /// Opens a store for writing and creates it (mode 0600) if it does not exist.
    ///
    /// - Parameters:
    ///   - policy: Wait policy if another program has locked it.
    ///   - admitsReaders: Whether an empty store, too, can be read while it is filled. Filling takes longer then.
    /// - Throws: `.cannotCreate` if the folder does not exist; `.missing` if the file is not a store;
    ///   `.configuration` if another version of `etl` made it.
    package static func openForWriting(
        _ path: String, waiting policy: LockWaitPolicy = LockWaitPolicy(),
        admittingReaders admitsReaders: Bool = false
    ) throws(ETLError) -> Connection {
        if let refusal = refusal(of: path) ?? refusalToWrite(path) { throw refusal }
        if FileSystem.access(path, F_OK) != 0 {
            try make(StorePath.real(path))
        }
        let connection = try Connection(path, .readWrite)
        connection.waitWhenBusy(policy)
        try check(connection, path)
        if try connection.integer("PRAGMA application_id") != Schema.applicationID {
            // Large pages: our rows have a few hundred bytes and are appended.
            try connection.execute("PRAGMA page_size = 16384")
        }
        // An empty store is filled under a rollback journal: appended pages need no journal and are
        // written once, while WAL writes them twice. The journal file keeps its length, so that a commit
        // does not wait for the file system's own journal. ``finishFilling(_:)`` switches to WAL, and so
        // does the next opening. But such a journal locks readers out for as long as a transaction spills.
        let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
        let isFilled = isEmpty && !admitsReaders
        _ = try connection.string("PRAGMA journal_mode = \(isFilled ? "PERSIST" : "WAL")")
        // Results and checkpoint share a transaction, so after a power failure they roll back together. With
        // NORMAL, the header of a rollback journal can be on the disk before its records. Their checksums do not
        // notice old blocks of a kept journal, and rolling back would destroy the store.
        try connection.execute("PRAGMA synchronous = \(isFilled ? "FULL" : "NORMAL")")
        try connection.execute("PRAGMA cache_size = -16384")
        try connection.execute("PRAGMA temp_store = FILE")
        try createTables(connection)
        try StoreViews.refresh(in: connection)
        return connection
    }

    /// Whether a path is a store, or a file that is kept next to it: SQLite's files, the lock, the search
    /// index, vectors, photos, copies of dry runs, saved standard input.
    package static func has(_ path: String, in store: String) -> Bool {
        let (path, store) = (StorePath.real(path), StorePath.real(store))
        guard let ending = FileName.middle(of: path, from: store) else { return false }
        return endings.contains(String(ending)) || ending.hasSuffix(".stdin")
            || [".search", ".vectors", ".photos", ".dry-run-"].contains { ending.hasPrefix($0) }
    }

    /// Whether a file is a store.
    package static func isStore(_ path: String) -> Bool {
        SidecarFile.content(of: StorePath.real(path)) == .database(applicationID: Schema.applicationID)
    }

    /// Why a path cannot be a store, whatever is done with it: it is a folder or a device, or it has a name
    /// that SQLite does not take for a file. Nil if it can be one.
    package static func refusal(of path: String) -> ETLError? {
        func refusal(_ what: String) -> ETLError {
            ETLError(
                .missing, "`\(path)` \(what), not a store.",
                advice: "Specify a file with \(UserSetting.store).")
        }
        if path == ":memory:" || path.hasPrefix("file:") {
            return ETLError(
                .missing, "`\(path)` means something special to SQLite; a store is always a file.",
                advice: "If a file has this name, specify it as `./\(path)`.")
        }
        if path.hasSuffix("/") { return refusal("names a folder") }
        var status = stat()
        guard FileSystem.stat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: refusal("is a folder")
        default: refusal("is a pipe, socket or device")
        }
    }

    /// Why no store can be made at a path: the names of files next to it would be too long. Nil if it can, or if the
    /// store is there. ``StoreLock`` asks, because its file is the first.
    static func refusalToMake(_ path: String) -> ETLError? {
        guard FileSystem.access(path, F_OK) != 0,
            FileName.bytes(of: FolderPath.lastName(StorePath.real(path))).count > longestName
        else { return nil }
        return ETLError(
            .cannotCreate, "The name of `\(path)` is too long: files next to a store have longer ones.",
            advice: "Specify a shorter name with \(UserSetting.store).")
    }

    /// Why a store must not be written to: under its other name it would have another lock and another
    /// journal, and two runs could write at once. Nil if it may be.
    private static func refusalToWrite(_ path: String) -> ETLError? {
        var status = stat()
        guard FileSystem.stat(path, &status) == 0, status.st_nlink > 1 else { return nil }
        return ETLError(
            .cannotCreate, "`\(path)` has another name (a hard link), so etl does not write to it.",
            advice: "Copy it and specify the copy, or replace the other name by a symbolic link.")
    }

    /// Creates an empty file that only its owner can read and write.
    ///
    /// - Throws: `.permission` or `.cannotCreate`, also if the file exists.
    static func make(_ path: String) throws(ETLError) {
        let descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw notCreated(path, errno) }
        close(descriptor)
    }

    /// The failure of a file that cannot be created, a store or one next to it.
    ///
    /// - Parameter code: The system's error number.
    static func notCreated(_ path: String, _ code: Int32) -> ETLError {
        noFolder(for: path)
            ?? ETLError(
                code == EACCES || code == EROFS ? .permission : .cannotCreate,
                "Cannot create `\(path)`: \(String(cString: strerror(code))).",
                advice: "Check the folder's permissions, or specify another store with \(UserSetting.store).")
    }

    /// The failure if the file's folder does not exist; nil if it does.
    package static func noFolder(for path: String) -> ETLError? {
        let folder = FolderPath.of(path)
        guard FileSystem.access(folder, F_OK) != 0, errno == ENOENT else { return nil }
        return ETLError(
            .cannotCreate, "Cannot create `\(path)`: there is no folder `\(folder)`.",
            advice: "Create the folder, or specify another store with \(UserSetting.store).")
    }

    /// Switches to WAL mode, in which readers and a writer do not wait for each other.
    static func finishFilling(_ connection: Connection) throws(ETLError) {
        guard try connection.string("PRAGMA journal_mode") != "wal" else { return }
        _ = try connection.string("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = NORMAL")
    }

    /// Copies a store, even while it is being written, to a file that does not exist yet (mode 0600).
    ///
    /// - Throws: The errors of opening, and `permission`, `cannotCreate` or `inputOutput` if the copy cannot
    ///   be written.
    package static func copy(_ path: String, to copy: String) throws(ETLError) {
        try StoreCopy.write(try openForReading(path), to: copy)
    }

    /// Opens a store for reading, even while it is being written, or after its writer was killed.
    ///
    /// If the user may write to the file, it is opened so that SQLite can roll back the leftovers of a killed
    /// run. Otherwise it is read as it is.
    ///
    /// - Parameter policy: Wait policy if another program has locked it.
    /// - Throws: `.missing` if there is no store; `.permission` if it cannot be read.
    package static func openForReading(
        _ path: String, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> Connection {
        guard let connection = try openIfStarted(path, waiting: policy) else {
            let meant = similar(to: path).map { "Did you mean `\($0)`? " } ?? ""
            throw ETLError(
                .missing, "There is no store `\(path)`.",
                advice: "\(meant)Import a file first, or specify the store with \(UserSetting.store).")
        }
        return connection
    }

    /// The store that a wrong path may mean: the one in its folder with the most similar name; nil if there is none.
    package static func similar(to path: String) -> String? {
        let folder = FolderPath.of(path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let endings = [".sqlite", ".sqlite3", ".db"]
        func bare(_ name: String) -> String? {
            endings.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
        }
        // `library` and `library.db` may mean `library.sqlite`.
        let others = (Folder.names(in: folder) ?? []).sorted().filter { bare($0) != nil }
        let wanted = bare(name) ?? name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        let nearest =
            others.first { bare($0) == wanted }
            ?? Spelling.nearest(to: wanted, among: others.compactMap(bare))
            .flatMap { found in others.first { bare($0) == found } }
        guard let nearest else { return nil }
        return path.contains("/") ? "\(folder == "/" ? "" : folder)/\(nearest)" : nearest
    }

    /// Opens a store for reading. Nil if there is none yet: no file, or the empty file of a run that was
    /// killed while creating its store.
    ///
    /// - Throws: as ``openForReading(_:waiting:)``.
    package static func openIfStarted(
        _ path: String, waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) -> Connection? {
        if let refusal = refusal(of: path) { throw refusal }
        guard FileSystem.access(path, F_OK) == 0 else {
            guard errno == EACCES else { return nil }
            throw ETLError(
                .permission, "The folder of `\(path)` cannot be opened: permission denied.",
                advice: "Check the folder's permissions, or specify another store with \(UserSetting.store).")
        }
        guard FileSystem.access(path, R_OK) == 0 else {
            throw ETLError(
                .permission, "`\(path)` cannot be read: permission denied.",
                advice:
                    "Make it readable, for example with `chmod u+r FILE`, or specify another store with \(UserSetting.store)."
            )
        }
        let connection = try readingConnection(path, policy.with(milliseconds: readerWaitMilliseconds))
        try check(connection, path)
        guard try connection.integer("PRAGMA application_id") == Schema.applicationID else { return nil }
        try connection.execute("PRAGMA cache_size = -16384")
        return connection
    }

    private static func readingConnection(
        _ path: String, _ policy: LockWaitPolicy
    ) throws(ETLError) -> Connection {
        // SQLite keeps its files next to the store itself, not next to a link to it.
        let place = StorePath.real(path)
        let mayWrite =
            FileSystem.access(place, W_OK) == 0 && FileSystem.access(FolderPath.of(place), W_OK) == 0
        if mayWrite {
            let connection = try Connection(path, .reading)
            connection.waitWhenBusy(policy)
            return connection
        }
        do {
            let connection = try Connection(path, .readOnly)
            connection.waitWhenBusy(policy)
            _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
            return connection
        } catch {
            // In WAL mode SQLite needs an index file next to the store, which cannot be created here. Without
            // a log there is nothing to index.
            guard FileSystem.access(place + "-wal", F_OK) != 0,
                FileSystem.access(place + "-journal", F_OK) != 0
            else {
                throw error
            }
            return try Connection(path, .immutable)
        }
    }

    /// The failure for a stored value that this version cannot decode.
    package static func unreadable(_ what: String) -> ETLError {
        ETLError(
            .inputOutput, "Cannot read \(what) from the store.",
            advice: "Check it with \(UserCommand.doctor). A newer version of etl may have written it.")
    }

    private static func notAStore(_ path: String) -> ETLError {
        ETLError(
            .missing, "`\(path)` is an SQLite database, but not an etl store.",
            advice: "Specify another file with \(UserSetting.store).")
    }

    /// Rejects a file that is not a store, one made by another version, and one with impossible ids.
    private static func check(_ connection: Connection, _ path: String) throws(ETLError) {
        let (id, tables, version) = (
            try connection.integer("PRAGMA application_id") ?? 0,
            try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0,
            try connection.integer("PRAGMA user_version") ?? 0
        )
        if id != Schema.applicationID && (id != 0 || tables > 0) { throw notAStore(path) }
        guard version >= 0 else {
            throw ETLError(
                .inputOutput, "`\(path)` is damaged: its schema version is \(version).",
                advice: "Restore the store from a backup.")
        }
        if version > Schema.version {
            throw ETLError(
                .configuration, "`\(path)` was made by a newer version of etl (schema \(version)).",
                advice: "Update etl; this version supports schemas up to \(Schema.version).")
        }
        // A file without a schema is a store that is about to be created.
        if version == 0 && id == 0 { return }
        guard version == Schema.version else {
            throw ETLError(
                .configuration, "`\(path)` was made by an earlier build of etl (schema \(version)).",
                advice:
                    "To carry its books over, run \(UserCommand.exportTable) with that build, and import the table with this one into a new store."
            )
        }
        try StoredIDs.check(connection, path)
    }

    /// Creates the tables of an empty store in one transaction, so that a run that is killed here leaves none.
    private static func createTables(_ connection: Connection) throws(ETLError) {
        guard try connection.integer("PRAGMA user_version") == 0 else { return }
        try connection.transaction { () throws(ETLError) in
            try connection.execute(
                "\(Schema.tables) PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version)"
            )
        }
    }
}

/// Copies a store. Only its owner can read and write the copy, as with the store.
enum StoreCopy {
    /// Writes the database of a connection to a file that does not exist yet.
    ///
    /// - Throws: `.permission`, `.cannotCreate` or `.inputOutput` if the copy cannot be written. Nothing of
    ///   it is left then.
    static func write(_ connection: Connection, to path: String) throws(ETLError) {
        // SQLite would create the file with the process's umask; it uses an existing empty file as it is.
        try StoreFile.make(path)
        do {
            try connection.copy(to: path)
        } catch {
            discard(path)
            throw error
        }
    }

    private static func discard(_ path: String) {
        for ending in ["", "-journal", "-wal"] { FileSystem.unlink(path + ending) }
    }
}
