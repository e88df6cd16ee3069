import Pipeline
import TestSupport
import Testing

@testable import Database

/// How a connection waits for another program. The clock stands still but for what is waited.
@Suite struct LockWaitTests {
    private let folder: TemporaryFolder
    private let path: String
    private let lock = HeldLock()
    private let clock = ManualClock()
    private let stop = StopSignal()
    private let told = Guarded<[UInt64]>([])

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("locked.sqlite")
        try Connection(path, .create).execute("CREATE TABLE t(a)")
    }

    private var milliseconds: UInt64 { clock.nanoseconds() / 1_000_000 }

    /// - Parameter meanwhile: Done when the wait has become a long one.
    private func connection(
        waitPolicy: UInt64, meanwhile: @escaping @Sendable () -> Void = {}
    ) throws -> Connection {
        let connection = try Connection(path, .readWrite)
        let terms = LockWaitPolicy(clock: clock, stop: stop) { [clock, told] _ in
            told.withLock { $0.append(clock.nanoseconds() / 1_000_000) }
            meanwhile()
        }
        connection.waitWhenBusy(terms.with(waitPolicy: waitPolicy))
        return connection
    }

    @Test func `a long wait is told of once, and ends where patience does`() throws {
        let connection = try connection(waitPolicy: 600_000)
        #expect(lock.take(path))
        let refusal = #expect(throws: SQLiteError.self) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(refusal?.failure.kind == .temporary)
        #expect(milliseconds == 600_000)
        #expect(told.withLock { $0 }.count == 1)
        #expect(told.withLock { $0 }.allSatisfy { (1_000...1_100).contains($0) })
    }

    @Test func `a stop ends a wait within a second, and later ones soon`() throws {
        let connection = try connection(waitPolicy: 600_000) { [stop] in stop.raise() }
        #expect(lock.take(path))
        #expect(throws: SQLiteError.self) { try connection.execute("BEGIN IMMEDIATE") }
        let first = milliseconds
        #expect((1_000..<2_000).contains(first))
        #expect(throws: SQLiteError.self) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(milliseconds - first <= 300)
        #expect(told.withLock { $0 }.count == 1)
    }

    @Test func `a lock that is let go is had`() throws {
        let connection = try connection(waitPolicy: 600_000) { [lock] in lock.release() }
        #expect(lock.take(path))
        try connection.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1); COMMIT")
        #expect(milliseconds < 2_000)
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    }

    @Test func `a short wait is told to nobody, and none is none`() throws {
        let connection = try connection(waitPolicy: 900)
        #expect(lock.take(path))
        #expect(throws: SQLiteError.self) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(milliseconds == 900 && told.withLock { $0.isEmpty })
        connection.failWhenBusy()
        #expect(throws: SQLiteError.self) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(milliseconds == 900)
    }
}
