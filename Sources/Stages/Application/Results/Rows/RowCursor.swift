import Books
import Database

/// Reads a row's columns one after the other, in the order in which they were asked for.
struct RowCursor {
    private let row: Statement
    private var column: Int32

    init(_ row: Statement, at column: Int32 = 0) {
        self.row = row
        self.column = column
    }

    private mutating func take() -> Int32 {
        defer { column += 1 }
        return column
    }

    /// Text; nil where there is none.
    mutating func text() -> String? { row.optionalString(take()) }

    mutating func integer() -> Int64 { row.integer(take()) }

    /// A whole number; nil where there is none.
    mutating func optionalInteger() -> Int? { row.optionalInteger(take()).map { Int($0) } }

    /// A number; nil where there is none.
    mutating func optionalNumber() -> Double? {
        let column = take()
        return row.isNull(column) ? nil : row.double(column)
    }

    /// A stored list; empty where there is none.
    mutating func list() -> [String] { row.withBytes(take()) { StoredList.strings($0) } }

    /// A stored list of providers, the one that gave the record first.
    mutating func providers() -> [Provider] {
        list().compactMap { name in Provider.allCases.first { $0.contractName == name } }
    }
}
