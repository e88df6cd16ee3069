import Database
import FoundationEssentials
import Glibc
package import System

/// The limiter state in a file (`$XDG_STATE_HOME/etl/limiter.sqlite`) that all processes of a user share. So two runs
/// with different stores respect the limits together, and the next run knows the limits that the previous one
/// learned.
///
/// One row per account. Changes requested while others are being written share the next transaction; each
/// request to a service needs two. State lost in a power failure is learned again.
package actor LimiterFile: LimiterStore {
    private nonisolated let executor = QueueExecutor(label: "etl.limiter")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package nonisolated var owner: Int64 { owners.own }

    private nonisolated let owners: LeaseOwners
    private nonisolated let waiting = Guarded<[LimiterChange]>([])
    private let connection: Connection
    private let read: Statement
    private let write: Statement

    /// Opens the file in a folder, and creates both if necessary. Only the user can read them.
    package init(folder: String) throws(ETLError) {
        let path = folder + "/limiter.sqlite"
        func failure(_ code: Int32) -> ETLError {
            ETLError(
                .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(code))).",
                advice: "Set XDG_STATE_HOME to a folder that you can write to.")
        }
        let code = Folder.make(folder, mode: 0o700)
        guard code == 0 else { throw failure(code) }
        guard let descriptor = try SidecarFile.open(path, O_RDWR | O_CREAT) else { throw failure(errno) }
        close(descriptor)
        owners = try LeaseOwners(folder + "/limiter.owners")
        let connected = try owners.alone { () throws(ETLError) in try Self.connect(path) }
        guard let connected else { throw SidecarFile.refusal(path, "is another program's database") }
        connection = connected
        read = try connection.prepare("SELECT numbers FROM limiter WHERE account = ?1")
        write = try connection.prepare("INSERT OR REPLACE INTO limiter(account, numbers) VALUES (?1, ?2)")
    }

    /// Opens the database; nil if it has tables of another program. Only one process may do this at a time:
    /// changing the journal mode does not wait for other processes as everything else does, but fails.
    private static func connect(_ path: String) throws(ETLError) -> Connection? {
        let connection = try Connection(path, .readWrite)
        let others = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name <> 'limiter'")
        guard others == 0 else { return nil }
        _ = try connection.string("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS limiter(account TEXT PRIMARY KEY, numbers BLOB NOT NULL) WITHOUT ROWID"
        )
        return connection
    }

    /// Whether the file exists in a folder.
    package static func exists(in folder: String) -> Bool {
        FileSystem.access(folder + "/limiter.sqlite", F_OK) == 0
    }

    package nonisolated func change<Result: Sendable>(
        _ account: String, _ body: @escaping @Sendable (inout LimiterState) -> Result
    ) async throws(ETLError) -> Result {
        let answer = await withCheckedContinuation {
            (waiter: CheckedContinuation<Swift.Result<Result, ETLError>, Never>) in
            let change = LimiterChange(account: account) { state in
                let result = body(&state)
                return { waiter.resume(returning: .success(result)) }
            } refuse: {
                waiter.resume(returning: .failure($0))
            }
            let isFirst = waiting.withLock { waiting in
                waiting.append(change)
                return waiting.count == 1
            }
            if isFirst { Task { await makeChanges() } }
        }
        return try answer.get()
    }

    /// Makes all waiting changes.
    private func makeChanges() {
        let changes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        do throws(ETLError) {
            let callbacks = try connection.transaction { () throws(ETLError) in try make(changes) }
            for callback in callbacks { callback() }
        } catch {
            for change in changes { change.refuse(error) }
        }
    }

    /// - Returns: Callbacks that report to the callers.
    private func make(_ changes: [LimiterChange]) throws(ETLError) -> [@Sendable () -> Void] {
        var states: [String: LimiterState] = [:]
        var callbacks: [@Sendable () -> Void] = []
        for change in changes {
            var state = if let made = states[change.account] { made } else { try readState(change.account) }
            callbacks.append(change.make(&state))
            states[change.account] = state
        }
        for (account, state) in states {
            try write.run(account, Self.bytes(state.numbers))
        }
        return callbacks
    }

    private func readState(_ account: String) throws(ETLError) -> LimiterState {
        read.bind(1, account)
        var numbers: [Int64] = []
        if try read.next() { numbers = Self.numbers(read.bytes(0)) }
        read.reset()
        var state = LimiterState(numbers: numbers) ?? LimiterState()
        state.releaseLeases { owners.isGone($0) }
        return state
    }

    /// The state's numbers, eight bytes each. A compact form, because it is read and written for every
    /// request.
    private static func bytes(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 8)
        for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    private static func numbers(_ bytes: [UInt8]) -> [Int64] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count / 8 * 8, by: 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
            }
        }
    }
}

/// A change of the limiter state that waits for its transaction.
private struct LimiterChange: Sendable {
    let account: String
    /// Makes the change. Returns a callback that reports success to the caller once the change is written.
    let make: @Sendable (inout LimiterState) -> @Sendable () -> Void
    /// Reports to the caller that the change cannot be written.
    let refuse: @Sendable (ETLError) -> Void
}

/// Which of the processes that share the limiter state are still running.
///
/// Each holds a lock on one byte of a file, at a random offset. The system releases it when the process ends
/// for any reason, so the leases of a killed process can be released. (The locks are open file description
/// locks, fcntl(2), so two owners in one process are distinct.)
final class LeaseOwners: Sendable {
    /// Offset of the locked byte.
    let own: Int64
    private let descriptor: Int32

    /// - Throws: If the file cannot be created.
    init(_ path: String) throws(ETLError) {
        own = Int64.random(in: 1...Int64.max - 1)
        guard let opened = try SidecarFile.open(path, O_RDWR | O_CREAT) else {
            throw ETLError(
                .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(errno))).",
                advice: "Set XDG_STATE_HOME to a folder that you can write to.")
        }
        descriptor = opened
        var lock = Self.lock(own)
        _ = fcntl(descriptor, Self.set, &lock)
    }

    deinit { close(descriptor) }

    /// Runs `body` while no other owner does the same. Waits for others.
    func alone<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // Byte 0 belongs to no owner.
        var lock = Self.lock(0)
        while fcntl(descriptor, Self.setWaiting, &lock) != 0, errno == EINTR {}
        defer {
            lock.l_type = Int16(F_UNLCK)
            _ = fcntl(descriptor, Self.set, &lock)
        }
        return try body()
    }

    /// Whether an owner's process has ended; false if that is unknown.
    func isGone(_ owner: Int64) -> Bool {
        guard owner > 0, owner != own else { return false }
        var lock = Self.lock(owner)
        return fcntl(descriptor, Self.get, &lock) == 0 && lock.l_type == Int16(F_UNLCK)
    }

    /// F_OFD_GETLK, F_OFD_SETLK and F_OFD_SETLKW, which the C library declares only on request.
    private static let get: Int32 = 36
    private static let set: Int32 = 37
    private static let setWaiting: Int32 = 38

    private static func lock(_ owner: Int64) -> flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(owner)
        lock.l_len = 1
        return lock
    }
}

/// Storage of the limiter state: in a file that all processes of the user share, or in a test's memory.
package protocol LimiterStore: Sendable {
    /// Identifies this process to others that share the state; 0 if it is not shared.
    var owner: Int64 { get }

    /// Changes the state of an account, without concurrent changes. Returns when the change is written.
    func change<Result: Sendable>(
        _ account: String, _ body: @escaping @Sendable (inout LimiterState) -> Result
    ) async throws(ETLError) -> Result
}

extension LimiterStore {
    /// Number of requests that are left of a service's daily budget; nil if it has none, or the state cannot
    /// be read.
    ///
    /// - Parameter now: Microseconds since 1970.
    package func budgetLeft(of service: any Service, at now: Int64) async -> Int? {
        guard let budget = service.limits.quota else { return nil }
        let left = try? await change(service.account) { $0.quota.left(at: now, budget: budget) }
        return left.map { Int($0) }
    }
}

/// Keeps the limiter state for one process: for tests, and if no file can be written.
package final class InMemoryLimiterStore: LimiterStore {
    private let states = Guarded<[String: LimiterState]>([:])

    package init() {}

    package var owner: Int64 { 0 }

    package func change<Result: Sendable>(
        _ account: String, _ body: @escaping @Sendable (inout LimiterState) -> Result
    ) async throws(ETLError) -> Result {
        states.withLock { states in
            var state = states[account] ?? LimiterState()
            defer { states[account] = state }
            return body(&state)
        }
    }
}
