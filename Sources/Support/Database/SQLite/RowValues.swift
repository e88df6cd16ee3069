/// Receives the values of a row one after the other, in the order of the table's columns.
///
/// A row is written either by binding it to a statement (``BoundRow``) or by laying it out in SQLite's file
/// format (``ImageWriter``). This protocol makes both work with the same code.
package protocol RowValues: ~Copyable {
    mutating func add(_ value: Int64)
    mutating func add(_ value: Int64?)
    mutating func add(_ value: Double?)
    /// Text whose bytes stay in place until the row is written. An empty buffer is NULL.
    mutating func add(text bytes: UnsafeRawBufferPointer)
    /// A blob whose bytes stay in place until the row is written. An empty buffer is NULL.
    mutating func add(blob bytes: UnsafeRawBufferPointer)
    /// Text for a numeric column, which becomes a number if it is a plain one (``NumericText``). An empty
    /// buffer is NULL.
    ///
    /// - Parameter isReal: Whether the column is REAL.
    mutating func add(number bytes: UnsafeRawBufferPointer, isReal: Bool)
    /// A number that may not be known yet and can be set later.
    mutating func add(placeholder value: Int64)
}

/// A row whose values are bound to a statement.
package struct BoundRow: RowValues {
    @usableFromInline let statement: Statement
    /// The parameter index of the next value.
    @usableFromInline var next: Int32

    /// - Parameter first: The parameter index of the first value.
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

    /// Adds an integer.
    @inlinable
    package mutating func add(_ value: Int64) { statement.bind(parameter(), value) }
    /// Adds an integer or NULL.
    @inlinable
    package mutating func add(_ value: Int64?) { statement.bind(parameter(), value) }
    /// Adds a floating-point number or NULL.
    @inlinable
    package mutating func add(_ value: Double?) { statement.bind(parameter(), value) }
    /// Adds text whose bytes stay in place until the row is written.
    @inlinable
    package mutating func add(text bytes: UnsafeRawBufferPointer) {
        statement.bind(parameter(), textInPlace: bytes)
    }
    /// Adds a blob whose bytes stay in place until the row is written.
    @inlinable
    package mutating func add(blob bytes: UnsafeRawBufferPointer) {
        statement.bind(parameter(), blobInPlace: bytes)
    }
    /// Adds text for a numeric column.
    @inlinable
    package mutating func add(number bytes: UnsafeRawBufferPointer, isReal: Bool) {
        statement.bind(parameter(), numberInPlace: bytes)
    }
    /// Adds a number. A bound row's value is final.
    @inlinable
    package mutating func add(placeholder value: Int64) { statement.bind(parameter(), value) }
}
