#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

/// A database of SQLite, with as much of it as a shelf needs.
public final class SQLiteFile {
    /// Why SQLite cannot do something.
    public struct Failure: Error, Sendable, Hashable {
        /// SQLite's code.
        public var code: Int32
        /// SQLite's sentence.
        public var message: String
    }

    /// A value of a column.
    enum Value: Sendable, Hashable {
        case null
        case integer(Int64)
        case text(String)

        static func optional(_ number: Int64?) -> Value { number.map { .integer($0) } ?? .null }
        static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

        var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
        var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    private let handle: OpaquePointer

    /// Opens a file, or makes it.
    init(_ path: String) throws(Failure) {
        var handle: OpaquePointer?
        let code = sqlite3_open(path, &handle)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close(handle)
            throw Failure(code: code, message: "\(path) cannot be opened.")
        }
        self.handle = handle
    }

    deinit { sqlite3_close(handle) }

    /// Runs a statement.
    ///
    /// - Parameter values: Its parameters.
    /// - Returns: The rows that it gives.
    @discardableResult
    func run(_ statement: String, _ values: [Value] = []) throws(Failure) -> [[Value]] {
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, statement, -1, &prepared, nil))
        defer { sqlite3_finalize(prepared) }
        for (place, value) in zip(Int32(1)..., values) { try check(bind(value, prepared, place)) }
        var rows: [[Value]] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW:
                rows.append((0..<sqlite3_column_count(prepared)).map { Self.column($0, of: prepared) })
            case SQLITE_DONE: return rows
            case let code:
                try check(code)
                return rows
            }
        }
    }

    private func bind(_ value: Value, _ statement: OpaquePointer?, _ place: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, place)
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        // SQLite copies the text before it returns.
        case .text(let text):
            sqlite3_bind_text(
                statement, place, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }

    private static func column(_ place: Int32, of statement: OpaquePointer?) -> Value {
        switch sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, place))
        case SQLITE_NULL: .null
        default: sqlite3_column_text(statement, place).map { .text(String(cString: $0)) } ?? .null
        }
    }

    private func check(_ code: Int32) throws(Failure) {
        guard code != SQLITE_OK else { return }
        throw Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}
