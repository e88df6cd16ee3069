import Application
import Books
import Pipeline

/// Keeps the full-text index of a store current, on one thread of low priority, so that no search does it while other
/// requests wait.
final class SearchIndexer: Sendable {
    private struct Waiter: Sendable {
        var version: UInt64
        var reply: @Sendable (Bool) -> Void
    }

    private struct State: Sendable {
        var schedule: IndexSchedule
        var waiters: [UInt64: Waiter] = [:]
        var lastID: UInt64 = 0
    }

    /// How long a search waits if there is no index yet, in nanoseconds.
    private static let firstPatience: UInt64 = 2_000_000_000

    private let store: String
    private let patience: UInt64
    private let clock: any RunClock
    private let thread: ThreadPool
    private let state: Guarded<State>

    /// - Parameter patience: How long a search waits for an update, in nanoseconds.
    /// - Throws: `.temporary` if the process may not have another thread.
    init(store: String, patience: UInt64, clock: any RunClock) throws(StageFailure) {
        self.store = store
        self.patience = patience
        self.clock = clock
        thread = try ThreadPool(threads: 1, niceness: 10)
        let schedule = IndexSchedule(patience: patience, hasIndex: BookSearch.hasIndex(store))
        state = Guarded(State(schedule: schedule))
    }

    deinit { thread.end() }

    /// Whether the index is updated now.
    var isUpdating: Bool { state.withLock { $0.schedule.isUpdating } }

    /// Updates the index if it does not cover a version of the store.
    func update(to version: UInt64) {
        let now = clock.nanoseconds()
        if state.withLock({ $0.schedule.start(version, now: now) }) { run() }
    }

    /// Prepares a search: updates the index, and waits if that is quick.
    ///
    /// - Parameters:
    ///   - version: The store's version now.
    ///   - reply: Called once, on some thread, with whether there is an index to search.
    func prepare(for version: UInt64, _ reply: @escaping @Sendable (Bool) -> Void) {
        let now = clock.nanoseconds()
        let (waiter, starts, hasIndex) = state.withLock { state -> (UInt64?, Bool, Bool) in
            let waits = state.schedule.isWorthWaiting(for: version)
            if waits {
                state.lastID += 1
                state.waiters[state.lastID] = Waiter(version: version, reply: reply)
            }
            let starts = state.schedule.start(version, now: now)
            return (waits ? state.lastID : nil, starts, state.schedule.hasIndex)
        }
        if starts { run() }
        guard let waiter else {
            reply(true)
            return
        }
        let patience = hasIndex ? patience : max(patience, Self.firstPatience)
        Task { [clock] in
            await clock.sleep(nanoseconds: patience)
            let (expired, hasIndex) = self.state.withLock {
                ($0.waiters.removeValue(forKey: waiter), $0.schedule.hasIndex)
            }
            expired?.reply(hasIndex)
        }
    }

    private func run() {
        Task(executorPreference: thread) { [self] in
            end(outcome())
        }
    }

    private func outcome() -> IndexSchedule.Outcome {
        do throws(StageFailure) {
            guard try StoreFile.openIfStarted(store) != nil else { return .noStore }
            // If the file cannot be used, each search makes an index in memory.
            return try BookSearch.updateIndex(of: store) == .inUse ? .inUse : .ready
        } catch {
            // Searches meet the same failure and report it.
            return .ready
        }
    }

    private func end(_ outcome: IndexSchedule.Outcome) {
        let now = clock.nanoseconds()
        let (served, isAvailable, starts) = state.withLock { state -> ([Waiter], Bool, Bool) in
            state.schedule.end(outcome, now: now)
            let served = state.waiters.filter {
                outcome == .inUse || !state.schedule.isWorthWaiting(for: $0.value.version)
            }
            for id in served.keys { state.waiters[id] = nil }
            // The store has changed since the update began.
            let latest = state.waiters.values.map(\.version).max()
            let starts = latest.map { state.schedule.start($0, now: now) } ?? false
            return (Array(served.values), outcome != .inUse || state.schedule.hasIndex, starts)
        }
        if starts { run() }
        for waiter in served { waiter.reply(isAvailable) }
    }
}
