import CSQLite
package import System

/// A connection to an SQLite database. It must be used only by the actor or thread that opened it.
package final class Connection {
    /// Mode in which a database is opened.
    package enum Mode {
        /// Reads without write permission for the file or its folder.
        case readOnly
        /// Reads a file that is not written meanwhile. Locks and the write-ahead log are ignored, so the
        /// folder need not be writable.
        case immutable
        /// Reads with write permission. First rolls back the unfinished transaction of a killed writer, which
        /// ``readOnly`` cannot do.
        case reading
        case readWrite
        case create
    }

    let handle: OpaquePointer
    /// Number of statements run so far, for tests. ``execute(_:)`` counts as one.
    package internal(set) var statementsRun = 0
    /// The owner of the bytes that SQLite reads as ``image``.
    private var attached: AnyObject?
    /// Whether the schema ``image`` is attached.
    private var hasImage = false
    /// The busy handler. Kept alive here, because SQLite has only its address.
    private var lockWait: LockWait?
    /// Called before each commit. Kept alive here, like the busy handler.
    private var commitObserver: ConnectionHook<Void>?
    /// Number of open transactions: one, plus its savepoints.
    private var openTransactions = 0
    package let path: String

    /// Configures the library once, before the first connection.
    private static let isLibraryReady =
        etl_sqlite3_no_memory_statistics() == SQLITE_OK
        && etl_sqlite3_statement_journal(largestJournalInMemory) == SQLITE_OK

    /// Bytes of a statement's journal before it becomes a file.
    ///
    /// A statement that fires a trigger copies the pages it changes, to be able to undo itself. The default of
    /// 64 KiB is four pages of a store; an update of a row changes up to ten. SQLite writes the whole size at once when
    /// the journal becomes a file, and its Unix layer writes the size modulo 128 KiB: of 1 MiB nothing, which it then
    /// reports as a full disk.
    private static let largestJournalInMemory: Int32 = (128 << 10) - 1

    /// Opens a database. Loading extensions is disabled. If the database is locked, waits up to
    /// `busyMilliseconds`.
    package init(_ path: String, _ mode: Mode, busyMilliseconds: Int32 = 5_000) throws(ETLError) {
        let flags =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .reading, .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        _ = Self.isLibraryReady
        var opened: OpaquePointer?
        let name = mode == .immutable ? Self.immutableURI(path) : Self.fileName(path, mode)
        let code = name.withFileName {
            sqlite3_open_v2($0, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        }
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { FileName.text(of: sqlite3_errmsg($0)) } ?? "out of memory"
            let systemError = opened.map { sqlite3_system_errno($0) } ?? 0
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message, sql: nil, path: path, systemError: systemError)
                .failure
        }
        handle = opened
        self.path = path
        _ = etl_sqlite3_db_switch(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        _ = etl_sqlite3_db_switch(opened, SQLITE_DBCONFIG_DEFENSIVE, 1)
        sqlite3_busy_timeout(opened, busyMilliseconds)
        if mode == .reading { try execute("PRAGMA query_only = ON") }
    }

    /// The path in a form that SQLite takes for the name of a file, not for a URI, and for a database in
    /// memory only if one is created.
    private static func fileName(_ path: String, _ mode: Mode) -> String {
        path.hasPrefix("file:") || path == ":memory:" && mode != .create ? "./" + path : path
    }

    /// The path as an SQLite URI file name, with special bytes escaped.
    private static func immutableURI(_ path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        let escaped = FileName.bytes(of: path).map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        // Without an empty authority, two slashes at the beginning of the path would start one.
        return "file:\(FolderPath.isAbsolute(path) ? "//" : "")\(escaped.joined())?immutable=1"
    }

    deinit {
        // The busy handler's object may be gone before the connection closes.
        failWhenBusy()
        sqlite3_close_v2(handle)
    }

    /// From now on, a locked database is an error at once.
    package func failWhenBusy() { sqlite3_busy_timeout(handle, 0) }

    /// From now on, waits for a locked database according to a policy.
    package func waitWhenBusy(_ policy: LockWaitPolicy) {
        let wait = LockWait(path, policy)
        wait.begin(on: handle)
        lockWait = wait
    }

    /// Calls a closure before each commit of a transaction that has written something, for tests of crashes. It must
    /// not use the connection.
    package func observeCommits(_ observe: @escaping () -> Void) {
        let hook = ConnectionHook(observe)
        sqlite3_commit_hook(
            handle,
            { pointer in
                guard let pointer else { return 0 }
                Unmanaged<ConnectionHook<Void>>.fromOpaque(pointer).takeUnretainedValue().call()
                return 0
            }, Unmanaged.passUnretained(hook).toOpaque())
        commitObserver = hook
    }

    /// Runs `body`. Its statements fail as interrupted once `stop` is raised.
    package func interrupting<Result, Failure: Error>(
        at stop: StopSignal, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let hook = ConnectionHook { stop.isRaised }
        sqlite3_progress_handler(
            handle, Self.instructionsBetweenChecks,
            { pointer in
                guard let pointer else { return 0 }
                return Unmanaged<ConnectionHook<Bool>>.fromOpaque(pointer).takeUnretainedValue().call()
                    ? 1 : 0
            }, Unmanaged.passUnretained(hook).toOpaque())
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            withExtendedLifetime(hook) {}
        }
        return try body()
    }

    /// SQLite runs about a hundred million instructions per second.
    private static let instructionsBetweenChecks: Int32 = 1_000

    /// Runs statements whose results are not needed.
    package func execute(_ sql: String) throws(ETLError) {
        statementsRun += 1
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    /// Allows a connection that reads to write temporary tables. It can also write others then, but must not.
    package func admitTemporaryTables() throws(ETLError) { try execute("PRAGMA query_only = OFF") }

    /// Prepares a statement.
    @usableFromInline package func prepare(_ sql: String) throws(ETLError) -> Statement {
        try Statement(self, sql)
    }

    /// Empties the database, even a damaged one that others have open.
    package func empty() throws(ETLError) {
        _ = etl_sqlite3_db_switch(handle, SQLITE_DBCONFIG_RESET_DATABASE, 1)
        defer { _ = etl_sqlite3_db_switch(handle, SQLITE_DBCONFIG_RESET_DATABASE, 0) }
        try execute("VACUUM")
    }

    /// Runs `body` in a transaction, which is rolled back if it throws.
    ///
    /// - Parameter isDeferred: Whether a database is locked only when it is written to. If several attached
    ///   databases are locked, the commit writes an additional file that lists them. So this is faster if
    ///   only one of them is written.
    package func transaction<Result>(
        isDeferred: Bool = false, _ body: () throws(ETLError) -> Result
    ) throws(ETLError) -> Result {
        try begin(isDeferred: isDeferred)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs `body`, which must not write, on one consistent state of the database, even if others write
    /// meanwhile.
    package func readTransaction<Result>(_ body: () throws(ETLError) -> Result) throws(ETLError)
        -> Result
    {
        guard openTransactions == 0 else { return try body() }
        try execute("BEGIN")
        openTransactions = 1
        defer {
            // A failure is harmless, because nothing was written.
            try? execute("COMMIT")
            openTransactions = 0
        }
        return try body()
    }

    /// Begins a transaction. Inside a transaction, sets a savepoint that can be rolled back separately.
    package func begin(isDeferred: Bool = false) throws(ETLError) {
        let whole = isDeferred ? "BEGIN" : "BEGIN IMMEDIATE"
        try execute(openTransactions == 0 ? whole : "SAVEPOINT part")
        openTransactions += 1
    }

    /// Commits the transaction, or releases the last savepoint.
    package func commit() throws(ETLError) {
        try execute(openTransactions == 1 ? "COMMIT" : "RELEASE part")
        openTransactions -= 1
    }

    /// Rolls back the transaction, or to the last savepoint.
    package func rollBack() {
        guard openTransactions > 0 else { return }
        // A failed COMMIT or a full disk may already have rolled back everything.
        if sqlite3_get_autocommit(handle) == 0 {
            try? execute(openTransactions == 1 ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part")
        }
        openTransactions -= 1
    }

    /// Attaches bytes as the database ``image``, replacing the previous ones.
    ///
    /// SQLite reads them in place. The connection retains their owner until they are replaced.
    package func attach(bytes: UnsafeMutableRawBufferPointer, of owner: AnyObject) throws(ETLError) {
        if !hasImage {
            try execute("ATTACH ':memory:' AS \(Self.image)")
            hasImage = true
        }
        let size = Int64(bytes.count)
        let code = sqlite3_deserialize(
            handle, Self.image, bytes.bindMemory(to: UInt8.self).baseAddress, size, size, 0)
        guard code == SQLITE_OK else { throw error(code, nil) }
        attached = owner
    }

    /// The schema name of images attached by ``attach(_:)``.
    package static let image = "image"

    /// Bytes of a file that can be read through memory: SQLite's maximum. The rest is read through the page cache.
    package static let mappedBytes: Int64 = 0x7FFF_0000

    /// From now on, reads the file through memory that the system can reclaim at any time. Rows at scattered
    /// places are read several times faster. If another program cuts the file off meanwhile, the process is killed.
    package func mapFile() throws(ETLError) { try execute("PRAGMA mmap_size = \(Self.mappedBytes)") }

    /// A number that changes whenever another connection has committed a change.
    package func dataVersion() throws(ETLError) -> Int64? { try integer("PRAGMA data_version") }

    /// Runs `body`, which may write to the shadow tables of virtual tables.
    package func openingShadowTables(_ body: () throws(ETLError) -> Void) throws(ETLError) {
        _ = etl_sqlite3_db_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
        defer { _ = etl_sqlite3_db_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1) }
        try body()
    }

    /// The row id of the last insert.
    package var lastRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement changed.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    /// The number of rows that all statements so far have changed.
    package var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

    /// The number of pages written to the database file or its log so far.
    package var pagesWritten: Int {
        var (now, highest) = (0 as Int32, 0 as Int32)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &now, &highest, 0)
        return Int(now)
    }

    func error(_ code: Int32, _ sql: String?) -> ETLError {
        SQLiteError(
            code: code, message: FileName.text(of: sqlite3_errmsg(handle)), sql: sql, path: path,
            systemError: sqlite3_system_errno(handle)
        ).failure
    }
}

/// A closure that SQLite calls, as an object that a pointer can refer to.
private final class ConnectionHook<Result> {
    let call: () -> Result

    init(_ call: @escaping () -> Result) { self.call = call }
}

extension Connection {
    /// Runs `body` on one consistent state of the store, whatever another process commits meanwhile. Sorting
    /// that exceeds the page cache uses temporary files.
    package func snapshot<Result>(_ body: () throws(ETLError) -> Result) throws(ETLError) -> Result {
        try execute("PRAGMA temp_store = FILE")
        return try readTransaction(body)
    }
}
