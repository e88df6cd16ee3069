import Pipeline

extension Connection {
    /// Prepares a question, its errors as what a command reports.
    func question(_ sql: String) throws(StageFailure) -> Statement {
        do { return try prepare(sql) } catch { throw error.failure }
    }

    /// The number a question is answered with; 0 where it is none.
    func number(_ sql: String) throws(StageFailure) -> Int64 {
        do { return try integer(sql) ?? 0 } catch { throw error.failure }
    }

    /// Reads one state of the store from beginning to end, whatever another process commits meanwhile. Sorting that
    /// outgrows the page cache goes to temporary files.
    func snapshot<Result>(_ body: () throws(StageFailure) -> Result) throws(StageFailure) -> Result {
        do {
            try execute("PRAGMA temp_store = FILE")
            try execute("BEGIN")
        } catch {
            throw error.failure
        }
        // Nothing was written, so there is nothing whose loss a failing end could mean.
        defer { try? execute("COMMIT") }
        return try body()
    }
}

extension Statement {
    /// Moves to the next row; false at the end.
    func next() throws(StageFailure) -> Bool {
        do { return try step() } catch { throw error.failure }
    }
}
