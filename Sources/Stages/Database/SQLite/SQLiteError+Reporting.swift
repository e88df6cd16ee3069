package import Pipeline

extension SQLiteError {
    /// Runs a body, its errors as what a command reports.
    package static func reported<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(StageFailure) -> Result {
        do { return try body() } catch { throw error.failure }
    }
}

extension Connection {
    /// Runs a body in a transaction that is rolled back when it throws, SQLite's errors as what a command reports.
    package func reportedTransaction<Result>(
        _ body: () throws(StageFailure) -> Result
    ) throws(StageFailure) -> Result {
        try SQLiteError.reported { () throws(SQLiteError) in try begin() }
        do throws(StageFailure) {
            let result = try body()
            try SQLiteError.reported { () throws(SQLiteError) in try commit() }
            return result
        } catch {
            rollBack()
            throw error
        }
    }
}

extension StageFailure {
    /// What a command reports of an error of a body in which both SQLite and what stands on it may fail.
    package init(of error: any Error) {
        switch error {
        case let failure as StageFailure: self = failure
        case let error as SQLiteError: self = error.failure
        default: self.init(.bug, "\(error)")
        }
    }
}
