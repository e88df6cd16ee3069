package import Bytes
package import System

/// A row to be written to a table by an ``Appender``.
package protocol AppendedRow<Source> {
    /// Source of the values when the row is written.
    associatedtype Source

    /// The row's id, which is the first column.
    var id: Int64 { get }

    /// Adds the values of the other columns, in their order.
    func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: Source)
}

/// Collects rows and writes many per statement. Rows wait until ``flush(from:)`` is called.
///
/// Running a statement costs about as much as one of its rows, so rows written together cost half as much.
/// The statement uses `OR FAIL`: after an error, rows before the bad one stay. That is harmless, because
/// callers roll back the transaction after an error. The default, `ABORT`, would journal every statement and
/// write ten times as much.
package final class Appender<Row: AppendedRow> {
    @usableFromInline let connection: Connection
    @usableFromInline let insert: String
    @usableFromInline let row: String
    @usableFromInline let conflict: String
    @usableFromInline let one: Statement
    /// Prepared when it is first needed, because a small import does not need it.
    @usableFromInline var many: Statement?
    @usableFromInline let rowsPerStatement: Int
    @usableFromInline let width: Int32
    @usableFromInline var waiting: [Row] = []

    /// - Parameter conflict: An `ON CONFLICT` clause, for rows whose key exists already.
    @inlinable
    package init(
        _ connection: Connection, table: String, columns: [String], conflict: String = "",
        rowsPerStatement: Int = 16
    ) throws(ETLError) {
        self.connection = connection
        row = "(" + columns.map { _ in "?" }.joined(separator: ",") + ")"
        insert = "INSERT OR FAIL INTO \(table)(\(columns.joined(separator: ","))) VALUES "
        self.conflict = " " + conflict
        one = try connection.prepare(insert + row + self.conflict)
        self.rowsPerStatement = rowsPerStatement
        width = Int32(columns.count)
    }

    @inline(__always)
    @inlinable
    package func append(_ row: Row) { waiting.append(row) }

    /// Writes the waiting rows, in the order in which they were appended.
    @inlinable
    package func flush(from source: Row.Source) throws(ETLError) {
        var next = 0
        while waiting.count - next >= rowsPerStatement {
            let many = try statementOfMany()
            for place in 0..<rowsPerStatement {
                bind(waiting[next + place], to: many, from: Int32(place) * width + 1, source)
            }
            try many.run()
            next += rowsPerStatement
        }
        while next < waiting.count {
            bind(waiting[next], to: one, from: 1, source)
            try one.run()
            next += 1
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Whether enough rows wait for a full statement.
    @inline(__always)
    @inlinable
    package var isFull: Bool { waiting.count >= rowsPerStatement }

    @inline(__always)
    @inlinable
    func bind(_ row: Row, to statement: Statement, from first: Int32, _ source: Row.Source) {
        statement.bind(first, row.id)
        var bound = BoundRow(statement, from: first + 1)
        row.put(into: &bound, from: source)
    }

    @inlinable
    func statementOfMany() throws(ETLError) -> Statement {
        if let many { return many }
        let rows = repeatElement(row, count: rowsPerStatement).joined(separator: ",")
        let prepared = try connection.prepare(insert + rows + conflict)
        many = prepared
        return prepared
    }
}

extension Appender where Row.Source == UnsafeRawBufferPointer {
    /// Writes the waiting rows, whose bytes are in an arena, and empties the arena.
    @inlinable
    package func flush(from arena: inout Arena) throws(ETLError) {
        let result = arena.withAllBytes { bytes in
            Result { () throws(ETLError) in try flush(from: bytes) }
        }
        arena.removeAll()
        try result.get()
    }
}

extension Appender where Row.Source == Void {
    /// Appends a row, and writes the waiting rows if they fill a statement.
    @inline(__always)
    @inlinable
    package func write(_ row: Row) throws(ETLError) {
        append(row)
        if isFull { try flush(from: ()) }
    }
}

/// A row of a table with two columns: an id and a number.
package struct NumberRow: AppendedRow {
    package var id: Int64
    package var value: Int64

    package init(id: Int64, value: Int64) {
        self.id = id
        self.value = value
    }

    package func put<Row: RowValues & ~Copyable>(into row: inout Row, from source: Void) { row.add(value) }
}
