/// Takes the values of a row one after the other, in the order of the table's columns.
///
/// There are two ways for a row into a table: bound to a statement (``BoundRow``), or laid out as SQLite keeps it
/// (``ImageWriter``). A row says its values once, to either.
public protocol RowValues: ~Copyable {
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
public struct BoundRow: RowValues {
    @usableFromInline let statement: Statement
    /// Parameter of the next value.
    @usableFromInline var next: Int32

    /// - Parameter first: Parameter of the first value.
    @inlinable
    package init(_ statement: Statement, from first: Int32) {
        self.statement = statement
        next = first
    }

    @inlinable
    mutating func parameter() -> Int32 {
        defer { next += 1 }
        return next
    }

    /// Adds a whole number.
    @inlinable
    public mutating func add(_ value: Int64) { statement.bind(parameter(), value) }
    /// Adds a whole number, or NULL.
    @inlinable
    public mutating func add(_ value: Int64?) { statement.bind(parameter(), value) }
    /// Adds a fraction, or NULL.
    @inlinable
    public mutating func add(_ value: Double?) { statement.bind(parameter(), value) }
    /// Adds text, which stays where it is until the row is written.
    @inlinable
    public mutating func add(text bytes: UnsafeRawBufferPointer) {
        statement.bind(parameter(), textInPlace: bytes)
    }
    /// Adds a blob, which stays where it is until the row is written.
    @inlinable
    public mutating func add(blob bytes: UnsafeRawBufferPointer) {
        statement.bind(parameter(), blobInPlace: bytes)
    }
    /// Adds the number that the bytes spell.
    @inlinable
    public mutating func add(number bytes: UnsafeRawBufferPointer, isReal: Bool) {
        statement.bind(parameter(), numberInPlace: bytes)
    }
    /// Adds a number that may be set after the row is written.
    @inlinable
    public mutating func add(later value: Int64) { statement.bind(parameter(), value) }
}
