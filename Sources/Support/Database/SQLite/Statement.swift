import CSQLite
package import System

/// A prepared statement. As in SQLite, parameters count from 1 and columns from 0.
package final class Statement {
    private let handle: OpaquePointer
    /// Keeps the database open as long as the statement lives.
    private let connection: Connection
    private let sql: String

    init(_ connection: Connection, _ sql: String) throws(ETLError) {
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

    /// Binds an integer.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    /// Binds an integer.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, _ value: Int) {
        sqlite3_bind_int64(handle, index, Int64(value))
    }

    /// Binds an integer or NULL.
    @usableFromInline package func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds a floating-point number or NULL.
    @usableFromInline package func bind(_ index: Int32, _ value: Double?) {
        if let value { sqlite3_bind_double(handle, index, value) } else { bindNull(index) }
    }

    /// Binds NULL.
    @inline(__always)
    @usableFromInline package func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    /// Binds a copy of a text. An empty text is bound as text, not as NULL.
    @usableFromInline package func bind(_ index: Int32, _ value: String) {
        var value = value
        value.withUTF8 { bytes in
            // A null pointer would bind NULL, so an empty string is bound explicitly.
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

    /// Binds a copy of a text or NULL.
    @usableFromInline package func bind(_ index: Int32, _ value: String?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds a file's name, as bytes that need not be UTF-8 (``FileName``).
    package func bind(_ index: Int32, fileName name: String) {
        name.withFileName { _ = etl_sqlite3_bind_text_copy(handle, index, $0, -1) }
    }

    /// Binds text whose bytes stay in place until ``run()`` or ``reset()``. An empty buffer binds NULL.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, textInPlace bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return bindNull(index) }
        _ = etl_sqlite3_bind_text_static(
            handle, index, base.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }

    /// Binds a number if the bytes are a plain one, such as `412` or `4.12`, else text.
    ///
    /// The result is the same as SQLite's conversion in a numeric column, but faster.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, numberInPlace bytes: UnsafeRawBufferPointer) {
        switch NumericText(bytes) {
        case .integer(let value): bind(index, value)
        case .decimal(let value): sqlite3_bind_double(handle, index, value)
        case nil: bind(index, textInPlace: bytes)
        }
    }

    /// Binds a blob whose bytes stay in place until ``run()`` or ``reset()``. An empty buffer binds NULL.
    @inline(__always)
    @usableFromInline package func bind(_ index: Int32, blobInPlace bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return bindNull(index) }
        _ = etl_sqlite3_bind_blob_static(handle, index, base, Int32(bytes.count))
    }

    /// Binds a copy of a blob. An empty blob is bound as a blob, not as NULL.
    @usableFromInline package func bind(_ index: Int32, blob bytes: [UInt8]) {
        bytes.withUnsafeBytes { raw in
            if let base = raw.baseAddress {
                _ = etl_sqlite3_bind_blob_copy(handle, index, base, Int32(raw.count))
            } else {
                sqlite3_bind_zeroblob(handle, index, 0)
            }
        }
    }

    /// Binds the value of a column of another statement's row, with its type.
    @usableFromInline package func bind(_ index: Int32, column: Int32, of other: Statement) {
        sqlite3_bind_value(handle, index, sqlite3_column_value(other.handle, column))
    }

    // MARK: Running

    /// Moves to the next row. Returns false at the end; the statement can then be bound again.
    @usableFromInline package func next() throws(ETLError) -> Bool {
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

    /// Runs a statement, whose rows are not needed.
    @inline(__always)
    @usableFromInline package func run() throws(ETLError) {
        while try next() {}
    }

    /// Ends reading rows.
    @inline(__always)
    package func reset() { sqlite3_reset(handle) }

    // MARK: Reading

    /// The column as an integer; 0 if it is NULL.
    @inline(__always)
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The column as a floating-point number; 0 if it is NULL.
    package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// Whether the column is NULL.
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The column as an integer; nil if it is NULL.
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The column as text; empty if it is NULL.
    package func string(_ column: Int32) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// The column as text; nil if it is NULL.
    package func optionalString(_ column: Int32) -> String? { isNull(column) ? nil : string(column) }

    /// Calls `body` with the bytes of a text or blob column. They are invalid after the next step or reset.
    @inline(__always)
    package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// A copy of a text or blob column; empty if it is NULL.
    package func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }
}

/// The bounds of numbers that are stored: counts, rows, lines, bytes, milliseconds since 1970.
///
/// A number outside them is damage. Checked when it is read, it cannot overflow a computation.
package enum StoredNumber {
    /// The largest number: all integers up to it are exact in JSON, too.
    package static let max: Int64 = 1 << 53
    package static let range = 0...max
}
