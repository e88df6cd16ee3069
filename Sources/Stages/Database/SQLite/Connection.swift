import CSQLite
package import Pipeline

/// One connection to an SQLite database. It belongs to whoever opened it: an actor, or one thread.
public final class Connection {
    /// How a database is opened.
    package enum Mode {
        /// To be read by somebody who may not write the file or its folder.
        case readOnly
        /// To be read while nobody writes to what is read: neither locks nor a write-ahead log are looked for, so a folder
        /// that cannot be written will do.
        case immutable
        /// To be read by somebody who may write: what a killed writer left half done is put right first, which
        /// ``readOnly`` cannot do.
        case reading
        case readWrite
        case create
    }

    let handle: OpaquePointer
    /// Statements run so far, ``execute(_:)`` counted as one: what tests hold to a bound.
    package internal(set) var statementsRun = 0
    /// The image that SQLite reads.
    private var attached: AnyObject?
    /// Whether there is a database to lend images as.
    private var hasImage = false
    /// What SQLite asks while the database is locked; the last one, for it is asked by its address.
    private var lockWait: LockWait?
    /// Transactions begun and not ended: one, and parts of it.
    private var openTransactions = 0
    package let path: String

    /// Settings of the library as a whole, made once before the first connection.
    private static let isLibraryReady: Bool = etl_sqlite3_no_memory_statistics() == SQLITE_OK

    /// Opens a database. Foreign extensions stay off; a busy database is waited for `busyMilliseconds`.
    package init(_ path: String, _ mode: Mode, busyMilliseconds: Int32 = 5_000) throws(SQLiteError) {
        let flags =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .reading, .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        _ = Self.isLibraryReady
        var opened: OpaquePointer?
        let name = mode == .immutable ? Self.immutableURI(path) : path
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message, sql: nil, path: path)
        }
        handle = opened
        self.path = path
        _ = etl_sqlite3_db_switch(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        _ = etl_sqlite3_db_switch(opened, SQLITE_DBCONFIG_DEFENSIVE, 1)
        sqlite3_busy_timeout(opened, busyMilliseconds)
        if mode == .reading { try execute("PRAGMA query_only = ON") }
    }

    /// The path as SQLite's URI file names have it; bytes that mean something there are escaped.
    private static func immutableURI(_ path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        let escaped = path.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        // Without an authority, two slashes at the head of a path would begin one.
        return "file:\(path.hasPrefix("/") ? "//" : "")\(escaped.joined())?immutable=1"
    }

    deinit {
        // Whoever would be asked is gone by then.
        failWhenBusy()
        sqlite3_close_v2(handle)
    }

    /// From here on a busy database is not waited for.
    package func failWhenBusy() { sqlite3_busy_timeout(handle, 0) }

    /// From here on a busy database is waited for on these terms.
    package func waitWhenBusy(_ terms: LockWaitPolicy) {
        let wait = LockWait(path, terms)
        wait.begin(on: handle)
        lockWait = wait
    }

    /// Runs statements that return nothing worth reading.
    package func execute(_ sql: String) throws(SQLiteError) {
        statementsRun += 1
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    /// Prepares a statement to be run many times.
    @usableFromInline package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try Statement(self, sql)
    }

    /// The first column of the first row as an integer; nil where there is no row or it is null.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// The first column of the first row as text.
    package func string(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try prepare(sql)
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.string(0)
    }

    /// Runs `body` in a transaction that is rolled back when it throws.
    ///
    /// - Parameter isDeferred: Whether a database is locked only when it is written to. Each that is locked costs the
    ///   commit a file that names them all, so it pays where several are attached and one is written to.
    package func transaction<Result>(
        isDeferred: Bool = false, _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
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

    /// Runs `body`, which writes nothing, over one state of the database, whoever writes to it meanwhile.
    package func snapshot<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        guard openTransactions == 0 else { return try body() }
        try execute("BEGIN")
        openTransactions = 1
        defer {
            // There is nothing whose loss a failing end could mean.
            try? execute("COMMIT")
            openTransactions = 0
        }
        return try body()
    }

    /// Begins a transaction; within one, a part of it that can be rolled back by itself and is kept with the whole.
    package func begin(isDeferred: Bool = false) throws(SQLiteError) {
        let whole = isDeferred ? "BEGIN" : "BEGIN IMMEDIATE"
        try execute(openTransactions == 0 ? whole : "SAVEPOINT part")
        openTransactions += 1
    }

    /// Ends what was begun last.
    package func commit() throws(SQLiteError) {
        try execute(openTransactions == 1 ? "COMMIT" : "RELEASE part")
        openTransactions -= 1
    }

    /// Takes back what was begun last.
    package func rollBack() {
        guard openTransactions > 0 else { return }
        // A failed COMMIT or a full disk may have rolled back all already: then there is nothing left to undo.
        if sqlite3_get_autocommit(handle) == 0 {
            try? execute(openTransactions == 1 ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part")
        }
        openTransactions -= 1
    }

    /// Lends bytes to be read as the attached database ``image``, in the place of those before.
    ///
    /// SQLite reads them where they are: the connection keeps their owner until the next ones take their place.
    package func attach(bytes: UnsafeMutableRawBufferPointer, of owner: AnyObject) throws(SQLiteError) {
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

    /// The schema under which ``attach(_:)`` lends images.
    package static let image = "image"

    /// Runs `body`, which may write to the tables in which a virtual table keeps what it has.
    package func openingShadowTables(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        _ = etl_sqlite3_db_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
        defer { _ = etl_sqlite3_db_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1) }
        try body()
    }

    /// Row id of the last insert.
    package var lastRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Rows that the last statement changed.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    /// Pages written to the database file or its log so far.
    package var pagesWritten: Int {
        var (now, highest) = (0 as Int32, 0 as Int32)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &now, &highest, 0)
        return Int(now)
    }

    func error(_ code: Int32, _ sql: String?) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql, path: path)
    }
}

extension Connection {
    /// Prepares a question, its errors as what a command reports.
    package func question(_ sql: String) throws(StageFailure) -> Statement {
        do { return try prepare(sql) } catch { throw error.failure }
    }

    /// The number a question is answered with; 0 where it is none.
    package func number(_ sql: String) throws(StageFailure) -> Int64 {
        do { return try integer(sql) ?? 0 } catch { throw error.failure }
    }

    /// Reads one state of the store from beginning to end, whatever another process commits meanwhile. Sorting that
    /// outgrows the page cache goes to temporary files.
    package func snapshot<Success>(_ body: () throws(StageFailure) -> Success) throws(StageFailure) -> Success
    {
        let result: Result<Success, StageFailure>
        do {
            try execute("PRAGMA temp_store = FILE")
            result = try snapshot { () throws(SQLiteError) in
                Result { () throws(StageFailure) in try body() }
            }
        } catch {
            throw error.failure
        }
        return try result.get()
    }
}

extension Statement {
    /// Moves to the next row; false at the end.
    package func next() throws(StageFailure) -> Bool {
        do { return try step() } catch { throw error.failure }
    }
}
