import CSQLite

/// A prepared statement: bound from 1, read from 0, as SQLite counts.
public final class Statement {
    private let handle: OpaquePointer
    /// Keeps the database open as long as the statement lives.
    private let connection: Connection
    private let sql: String

    init(_ connection: Connection, _ sql: String) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw connection.error(code, sql) }
        handle = prepared
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Binding

    /// Binds a number.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    /// Binds a number.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, _ value: Int) {
        sqlite3_bind_int64(handle, index, Int64(value))
    }

    /// Binds a number or NULL.
    @usableFromInline package func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds a number or NULL.
    @usableFromInline package func bind(_ index: Int32, _ value: Double?) {
        if let value { sqlite3_bind_double(handle, index, value) } else { bindNull(index) }
    }

    /// Binds NULL.
    @inline(__always)
    @usableFromInline package func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// Binds a copy of a text; the empty one stays text.
    @usableFromInline package func bind(_ index: Int32, _ value: String) {
        var value = value
        value.withUTF8 { bytes in
            // A null pointer would bind NULL: an empty string is bound as one.
            if let base = bytes.baseAddress {
                base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    _ = etl_sqlite3_bind_text_copy(handle, index, $0, Int32(bytes.count))
                }
            } else {
                sqlite3_bind_zeroblob(handle, index, 0)
                _ = etl_sqlite3_bind_text_copy(handle, index, "", 0)
            }
        }
    }

    /// Binds a copy of a text, or NULL.
    @usableFromInline package func bind(_ index: Int32, _ value: String?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds text that stays where it is until ``run()`` or ``reset()``; no bytes bind NULL.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, textInPlace bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return bindNull(index) }
        _ = etl_sqlite3_bind_text_static(
            handle, index, base.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }

    /// Binds what stands in the bytes, as a number where it is a plain one, such as `412` or `4.12`; else as text.
    ///
    /// What SQLite would make of the text in a column of numbers, found without its general conversion.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, numberInPlace bytes: UnsafeRawBufferPointer) {
        switch NumericText(bytes) {
        case .integer(let value): bind(index, value)
        case .decimal(let value): sqlite3_bind_double(handle, index, value)
        case nil: bind(index, textInPlace: bytes)
        }
    }

    /// Binds a blob that stays where it is until ``run()`` or ``reset()``; no bytes bind NULL.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, blobInPlace bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return bindNull(index) }
        _ = etl_sqlite3_bind_blob_static(handle, index, base, Int32(bytes.count))
    }

    /// Binds a copy of a blob; the empty one stays a blob.
    @usableFromInline package func bind(_ index: Int32, blob bytes: [UInt8]) {
        bytes.withUnsafeBytes { raw in
            if let base = raw.baseAddress {
                _ = etl_sqlite3_bind_blob_copy(handle, index, base, Int32(raw.count))
            } else {
                sqlite3_bind_zeroblob(handle, index, 0)
            }
        }
    }

    /// Binds what another statement's row has in a column, whatever its type.
    @usableFromInline package func bind(_ index: Int32, column: Int32, of other: Statement) {
        sqlite3_bind_value(handle, index, sqlite3_column_value(other.handle, column))
    }

    // MARK: Running

    /// Moves to the next row; false at the end, and the statement is ready to be bound again.
    package func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            connection.statementsRun += 1
            return false
        case let code:
            let error = connection.error(code, sql)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs a statement that returns no row.
    @inline(__always)
    @usableFromInline package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Leaves off reading rows.
    @inline(__always)
    package func reset() { sqlite3_reset(handle) }

    // MARK: Reading

    /// The column as an integer; 0 where it is null.
    @inline(__always)
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The column as a floating-point number; 0 where it is null.
    package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// Whether the column is null.
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The column as an integer; nil where it is null.
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The column as text; empty where it is null.
    package func string(_ column: Int32) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// The column as text; nil where it is null.
    package func optionalString(_ column: Int32) -> String? { isNull(column) ? nil : string(column) }

    /// Lends the bytes of a text or blob column; they are gone with the next step or reset.
    @inline(__always)
    package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// A copy of a text or blob column; empty where it is null.
    package func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }
}
