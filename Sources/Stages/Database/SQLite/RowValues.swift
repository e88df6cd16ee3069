/// Takes the values of a row one after the other, in the order of the table's columns.
///
/// There are two ways for a row into a table: bound to a statement (``BoundRow``), or laid out as SQLite keeps it
/// (``ImageWriter``). A row says its values once, to either.
package protocol RowValues: ~Copyable {
    mutating func add(_ value: Int64)
    mutating func add(_ value: Int64?)
    mutating func add(_ value: Double?)
    /// Text that stays where it is until the row is written; no bytes are NULL.
    mutating func add(text bytes: UnsafeRawBufferPointer)
    /// A blob that stays where it is until the row is written; no bytes are NULL.
    mutating func add(blob bytes: UnsafeRawBufferPointer)
    /// What stands in the bytes, as a number where it is a plain one, for a column of numbers; no bytes are NULL.
    ///
    /// - Parameter isReal: Whether the column holds fractions.
    mutating func add(number bytes: UnsafeRawBufferPointer, isReal: Bool)
    /// A number that whoever lays out the row does not know yet: it may be set later.
    mutating func add(later value: Int64)
}

/// A row whose values are bound to a statement.
package struct BoundRow: RowValues {
    let statement: Statement
    /// Parameter of the next value.
    private var next: Int32

    /// - Parameter first: Parameter of the first value.
    package init(_ statement: Statement, from first: Int32) {
        self.statement = statement
        next = first
    }

    private mutating func parameter() -> Int32 {
        defer { next += 1 }
        return next
    }

    package mutating func add(_ value: Int64) { statement.bind(parameter(), value) }
    package mutating func add(_ value: Int64?) { statement.bind(parameter(), value) }
    package mutating func add(_ value: Double?) { statement.bind(parameter(), value) }
    package mutating func add(text bytes: UnsafeRawBufferPointer) {
        statement.bind(parameter(), textInPlace: bytes)
    }
    package mutating func add(blob bytes: UnsafeRawBufferPointer) {
        statement.bind(parameter(), blobInPlace: bytes)
    }
    package mutating func add(number bytes: UnsafeRawBufferPointer, isReal: Bool) {
        statement.bind(parameter(), numberInPlace: bytes)
    }
    package mutating func add(later value: Int64) { statement.bind(parameter(), value) }
}
