import Database
import Foundation
package import Pipeline

/// The state of pace in a file (`$XDG_STATE_HOME/etl/pace.sqlite`) that all processes of a user share, so that two
/// runs with two stores are as polite as one, and the next run knows what the last one learned.
///
/// A row an account. Changes that are wanted while others are being kept share the next transaction: each call wants two
/// of them. What is lost in a power cut is learned again.
package actor LimiterFile: LimiterStore {
    private nonisolated let executor = QueueExecutor(label: "etl.pace")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package nonisolated var owner: Int64 { owners.own }

    private nonisolated let owners: LeaseOwners
    private nonisolated let waiting = Guarded<[PaceChange]>([])
    private let connection: Connection
    private let read: Statement
    private let write: Statement

    /// Opens the file in a folder, and makes both where they are not there; only the user may look into them.
    package init(folder: String) throws(StageFailure) {
        var made = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made == "/" ? "" : "/") + part
            if !made.isEmpty, access(made, F_OK) != 0 { mkdir(made, 0o700) }
        }
        let path = folder + "/pace.sqlite"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StageFailure(
                .cannotCreate, "\(path) cannot be created: \(String(cString: strerror(errno))).",
                advice: "Set XDG_STATE_HOME to a folder of yours.")
        }
        close(descriptor)
        owners = try LeaseOwners(folder + "/pace.owners")
        do {
            connection = try owners.alone { () throws(SQLiteError) in try Self.connect(path) }
            read = try connection.prepare("SELECT numbers FROM pace WHERE account = ?1")
            write = try connection.prepare("INSERT OR REPLACE INTO pace(account, numbers) VALUES (?1, ?2)")
        } catch {
            throw error.failure
        }
    }

    /// Opens the database, by one process at a time: a change of the journal's mode does not wait for others, as all else
    /// does, but fails.
    private static func connect(_ path: String) throws(SQLiteError) -> Connection {
        let connection = try Connection(path, .readWrite)
        _ = try connection.string("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS pace(account TEXT PRIMARY KEY, numbers BLOB NOT NULL) WITHOUT ROWID")
        return connection
    }

    /// Whether anything was kept in a folder yet.
    package static func exists(in folder: String) -> Bool { access(folder + "/pace.sqlite", F_OK) == 0 }

    package nonisolated func change<Result: Sendable>(
        _ account: String, _ body: @escaping @Sendable (inout LimiterState) -> Result
    ) async throws(StageFailure) -> Result {
        let answer = await withCheckedContinuation {
            (waiter: CheckedContinuation<Swift.Result<Result, StageFailure>, Never>) in
            let change = PaceChange(account: account) { state in
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

    /// Makes all changes that wait.
    private func makeChanges() {
        let changes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        do throws(SQLiteError) {
            let told = try connection.transaction { () throws(SQLiteError) in try make(changes) }
            for tell in told { tell() }
        } catch {
            for change in changes { change.refuse(error.failure) }
        }
    }

    /// - Returns: What tells those who wanted them.
    private func make(_ changes: [PaceChange]) throws(SQLiteError) -> [@Sendable () -> Void] {
        var states: [String: LimiterState] = [:]
        var told: [@Sendable () -> Void] = []
        for change in changes {
            var state = if let made = states[change.account] { made } else { try kept(change.account) }
            told.append(change.make(&state))
            states[change.account] = state
        }
        for (account, state) in states {
            write.bind(1, account)
            write.bind(2, blob: Self.bytes(state.numbers))
            try write.run()
        }
        return told
    }

    private func kept(_ account: String) throws(SQLiteError) -> LimiterState {
        read.bind(1, account)
        var numbers: [Int64] = []
        if try read.step() { numbers = Self.numbers(read.bytes(0)) }
        read.reset()
        var state = LimiterState(numbers: numbers) ?? LimiterState()
        state.releaseLeases { owners.isGone($0) }
        return state
    }

    /// The state's numbers, eight bytes each: it is read and written for every call.
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

/// A change of the state of pace that waits for its transaction.
private struct PaceChange: Sendable {
    let account: String
    /// Makes it; gives what tells who wanted it, once it is kept.
    let make: @Sendable (inout LimiterState) -> @Sendable () -> Void
    /// Tells who wanted it that it cannot be kept.
    let refuse: @Sendable (StageFailure) -> Void
}
