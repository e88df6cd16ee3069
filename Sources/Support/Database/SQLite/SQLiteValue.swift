package import System

/// A value that a statement binds.
package protocol SQLiteValue {
    /// Binds the value to a parameter. Texts and blobs are copied.
    func bind(to statement: Statement, at index: Int32)
}

extension Int64: SQLiteValue {
    /// Binds an integer.
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension Int: SQLiteValue {
    /// Binds an integer.
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension Bool: SQLiteValue {
    /// Binds 1 or 0.
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self ? 1 : 0) }
}

extension Double: SQLiteValue {
    /// Binds a floating-point number.
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension String: SQLiteValue {
    /// Binds a text. An empty one is bound as text, not as NULL.
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension [UInt8]: SQLiteValue {
    /// Binds a blob. An empty one is bound as a blob, not as NULL.
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, blob: self) }
}

extension ArraySlice<UInt8>: SQLiteValue {
    /// Binds a blob. An empty one is bound as a blob, not as NULL.
    package func bind(to statement: Statement, at index: Int32) {
        statement.bind(index, blob: Array(self))
    }
}

extension Optional: SQLiteValue where Wrapped: SQLiteValue {
    /// Binds the value, or NULL.
    package func bind(to statement: Statement, at index: Int32) {
        if let self { self.bind(to: statement, at: index) } else { statement.bindNull(index) }
    }
}

extension Statement {
    /// Binds values to the parameters, from the first one on.
    ///
    /// Each value costs some 25 ns more than a call of its own `bind`, because the compiler does not specialize the
    /// loop. Statements that run for each record call `bind`.
    @inlinable
    package func bind<each Value: SQLiteValue>(values value: repeat each Value) {
        var index: Int32 = 0
        for value in repeat each value {
            index += 1
            value.bind(to: self, at: index)
        }
    }

    /// Binds values and runs the statement, whose rows are not needed.
    @inlinable
    package func run<each Value: SQLiteValue>(_ value: repeat each Value) throws(ETLError) {
        bind(values: repeat each value)
        try run()
    }

    /// Binds values and moves to the first row. False if there is none.
    @inlinable
    package func first<each Value: SQLiteValue>(_ value: repeat each Value) throws(ETLError) -> Bool {
        bind(values: repeat each value)
        return try next()
    }

    /// Binds the only value, of a look-up by key, and moves to the first row. False if there is none.
    @usableFromInline
    package func first(_ value: Int64) throws(ETLError) -> Bool {
        bind(1, value)
        return try next()
    }
}

extension Connection {
    /// Runs one statement with values. Its rows are not needed.
    @inlinable
    package func execute<each Value: SQLiteValue>(
        _ sql: String, _ value: repeat each Value
    ) throws(ETLError) {
        try prepare(sql).run(repeat each value)
    }

    /// A query with values, before its first row.
    @inlinable
    package func query<each Value: SQLiteValue>(
        _ sql: String, _ value: repeat each Value
    ) throws(ETLError) -> Statement {
        let statement = try prepare(sql)
        statement.bind(values: repeat each value)
        return statement
    }

    /// A query with values, at its first row; nil if there is none.
    @inlinable
    package func row<each Value: SQLiteValue>(
        _ sql: String, _ value: repeat each Value
    ) throws(ETLError) -> Statement? {
        let statement = try query(sql, repeat each value)
        return try statement.next() ? statement : nil
    }

    /// The first column of the first row as an integer; nil if there is no row or the value is NULL.
    @inlinable
    package func integer<each Value: SQLiteValue>(
        _ sql: String, _ value: repeat each Value
    ) throws(ETLError) -> Int64? {
        try row(sql, repeat each value)?.optionalInteger(0)
    }

    /// The first column of the first row as text; nil if there is no row or the value is NULL.
    @inlinable
    package func string<each Value: SQLiteValue>(
        _ sql: String, _ value: repeat each Value
    ) throws(ETLError) -> String? {
        try row(sql, repeat each value)?.optionalString(0)
    }

    /// The number that a query returns; 0 if it returns none.
    @inlinable
    package func number<each Value: SQLiteValue>(
        _ sql: String, _ value: repeat each Value
    ) throws(ETLError) -> Int64 {
        try integer(sql, repeat each value) ?? 0
    }
}
