package import Pipeline

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
