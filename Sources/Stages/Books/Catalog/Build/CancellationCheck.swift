import Database
import Pipeline

/// Ends a long transaction when the build is to stop: it is rolled back and done again by the next run.
struct CancellationCheck {
    /// Rows between two looks.
    private static let interval = 16_384

    private let signal: StopSignal
    private let path: String
    private var rows = 0

    init(_ signal: StopSignal, path: String) {
        self.signal = signal
        self.path = path
    }

    /// Throws when the build is to stop, or has failed elsewhere.
    func check() throws(SQLiteError) {
        if signal.isRaised || Task.isCancelled { throw .interrupted(path) }
    }

    /// Counts a row, and looks now and then.
    @inline(__always)
    mutating func countRow() throws(SQLiteError) {
        rows += 1
        if rows % Self.interval == 0 { try check() }
    }
}
