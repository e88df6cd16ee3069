import System
import TestSupport
import Testing

@testable import Database

/// A connection's wait for another program. The clock advances only by the time waited.
@Suite struct LockWaitTests {
    private let folder: TemporaryFolder
    private let path: String
    private let lock = HeldLock()
    private let clock = ManualClock()
    private let stop = StopSignal()
    private let reported = Guarded<[UInt64]>([])

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("locked.sqlite")
        try Connection(path, .create).execute("CREATE TABLE t(a)")
    }

    private var milliseconds: UInt64 { clock.nanoseconds() / 1_000_000 }

    /// - Parameter meanwhile: Called when the wait has become long.
    private func connection(
        waitPolicy: UInt64, meanwhile: @escaping @Sendable () -> Void = {}
    ) throws -> Connection {
        let connection = try Connection(path, .readWrite)
        let policy = LockWaitPolicy(clock: clock, stop: stop) { [clock, reported] _ in
            reported.withLock { $0.append(clock.nanoseconds() / 1_000_000) }
            meanwhile()
        }
        connection.waitWhenBusy(policy.with(milliseconds: waitPolicy))
        return connection
    }

    @Test func `a long wait is reported once and ends at its limit`() throws {
        let connection = try connection(waitPolicy: 600_000)
        #expect(lock.take(path))
        let refusal = #expect(throws: ETLError.self) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(refusal?.kind == .temporary)
        #expect(milliseconds == 600_000)
        #expect(reported.withLock { $0 }.count == 1)
        #expect(reported.withLock { $0 }.allSatisfy { (1_000...1_100).contains($0) })
    }

    @Test func `a stop ends a wait within a second and later waits soon`() throws {
        let connection = try connection(waitPolicy: 600_000) { [stop] in stop.raise() }
        #expect(lock.take(path))
        #expect(throws: ETLError.self) { try connection.execute("BEGIN IMMEDIATE") }
        let first = milliseconds
        #expect((1_000..<2_000).contains(first))
        #expect(throws: ETLError.self) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(milliseconds - first <= 300)
        #expect(reported.withLock { $0 }.count == 1)
    }

    @Test func `a released lock is acquired`() throws {
        let connection = try connection(waitPolicy: 600_000) { [lock] in lock.release() }
        #expect(lock.take(path))
        try connection.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1); COMMIT")
        #expect(milliseconds < 2_000)
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    }

    @Test func `a clock that stands still does not make a wait endless`() throws {
        let still = try Connection(path, .readWrite)
        still.waitWhenBusy(
            LockWaitPolicy(clock: StandingClock(pauses: clock), stop: stop).with(milliseconds: 900))
        #expect(lock.take(path))
        #expect(throws: ETLError.self) { try still.execute("BEGIN IMMEDIATE") }
        #expect(milliseconds == 900)
    }

    @Test func `a short wait is not reported, and without a policy there is no wait`() throws {
        let connection = try connection(waitPolicy: 900)
        #expect(lock.take(path))
        #expect(throws: ETLError.self) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(milliseconds == 900 && reported.withLock { $0.isEmpty })
        connection.failWhenBusy()
        #expect(throws: ETLError.self) { try connection.execute("BEGIN IMMEDIATE") }
        #expect(milliseconds == 900)
    }
}

/// A clock that stands still, and tells another one how long it was asked to wait.
private struct StandingClock: RunClock {
    let pauses: ManualClock

    func nanoseconds() -> UInt64 { 0 }
    func epochMilliseconds() -> Int64 { 0 }
    func sleep(nanoseconds: UInt64) async { await pauses.sleep(nanoseconds: nanoseconds) }
    func block(nanoseconds: UInt64) { pauses.block(nanoseconds: nanoseconds) }
}
