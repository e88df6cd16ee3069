import Queries
import System

/// Keeps the full-text index of a store current, on one thread of low priority, so that no search does it while other
/// requests wait.
final class SearchIndexer: Sendable {
    /// The version of the store that a search finds, 0 if it is not known; or why it cannot search.
    typealias Readiness = Result<UInt64, SearchService.SearchFailure>

    private struct Waiter: Sendable {
        var version: UInt64
        /// The version that the last job had left.
        var since: UInt64
        var reply: @Sendable (Readiness) -> Void
        var timer: Task<Void, Never>?
    }

    private struct State: Sendable {
        var schedule: IndexSchedule
        var waiters: [UInt64: Waiter] = [:]
        var lastID: UInt64 = 0
        /// Why the last update failed.
        var failure: ETLError?
        var isStopping = false
        /// Waiters for the end of the last update.
        var stopping: [CheckedContinuation<Void, Never>] = []

        var readiness: Readiness {
            if let version = schedule.searchable { return .success(version) }
            return .failure(failure.map { .failed($0) } ?? .indexing)
        }

        mutating func start(_ version: UInt64, now: UInt64) -> Bool {
            !isStopping && schedule.start(version, now: now)
        }

        /// When the next update may start; nil while an update runs, or if no search waits.
        var nextStart: UInt64? {
            isStopping || schedule.isUpdating || waiters.isEmpty ? nil : schedule.notBefore
        }
    }

    private let store: String
    private let clock: any RunClock
    private let thread: ThreadPool
    private let stopSignal = StopSignal()
    private let state: Guarded<State>

    /// - Parameter timeout: How long a search waits for an update, in nanoseconds.
    /// - Throws: `.temporary` if the process may not have another thread.
    init(store: String, timeout: UInt64, clock: any RunClock) throws(ETLError) {
        self.store = store
        self.clock = clock
        thread = try ThreadPool(threads: 1, niceness: 10)
        let schedule = IndexSchedule(timeout: timeout, hasIndex: BookSearch.hasIndex(store))
        state = Guarded(State(schedule: schedule))
    }

    deinit { thread.end() }

    /// Whether the index is updated now.
    var isUpdating: Bool { state.withLock { $0.schedule.isUpdating } }

    /// Updates the index if it does not cover a version of the store.
    func update(to version: UInt64) {
        let now = clock.nanoseconds()
        if state.withLock({ $0.start(version, now: now) }) { run() }
    }

    /// Prepares a search: updates the index, and waits if that is quick.
    ///
    /// - Parameters:
    ///   - version: The store's version now.
    ///   - end: The version that the last job has left; 0 if none has ended.
    ///   - reply: Called once, on some thread.
    func prepare(
        for version: UInt64, since end: UInt64, _ reply: @escaping @Sendable (Readiness) -> Void
    ) {
        let now = clock.nanoseconds()
        let (readiness, starts, next) = state.withLock { state -> (Readiness?, Bool, UInt64?) in
            let starts = state.start(version, now: now)
            guard !state.isStopping, let time = state.schedule.timeout(for: version, since: end) else {
                return (state.readiness, starts, nil)
            }
            state.lastID += 1
            let id = state.lastID
            let timer = Task { [clock] in
                await clock.sleep(nanoseconds: time)
                if !Task.isCancelled { self.expire(id) }
            }
            state.waiters[id] = Waiter(version: version, since: end, reply: reply, timer: timer)
            return (nil, starts, state.nextStart)
        }
        if starts { run() }
        retry(at: next, from: now)
        if let readiness { reply(readiness) }
    }

    /// Updates the index for those who wait, when it may be updated again.
    private func retry(at time: UInt64?, from now: UInt64) {
        guard let time else { return }
        Task {
            await clock.sleep(nanoseconds: time > now ? time - now : 0)
            let now = clock.nanoseconds()
            let starts = state.withLock { state in
                state.schedule.endPause(until: time)
                return state.waiters.values.map(\.version).max().map { state.start($0, now: now) } ?? false
            }
            if starts { run() }
        }
    }

    /// Checks after a failed search whether the index still exists. If not, the next search rebuilds it.
    func stillHasIndex() -> Bool {
        let hasIndex = BookSearch.hasIndex(store)
        if !hasIndex { state.withLock { $0.schedule.noteMissingIndex() } }
        return hasIndex
    }

    /// Begins no further updates, and ends the one that runs.
    func stop() async {
        stopSignal.raise()
        await withCheckedContinuation { continuation in
            let (served, readiness) = state.withLock { state -> ([Waiter]?, Readiness) in
                state.isStopping = true
                guard !state.schedule.isUpdating else {
                    state.stopping.append(continuation)
                    return (nil, state.readiness)
                }
                defer { state.waiters = [:] }
                return (Array(state.waiters.values), state.readiness)
            }
            guard let served else { return }
            serve(served, readiness)
            continuation.resume()
        }
    }

    private func serve(_ waiters: [Waiter], _ readiness: Readiness) {
        for waiter in waiters {
            waiter.timer?.cancel()
            waiter.reply(readiness)
        }
    }

    private func expire(_ id: UInt64) {
        let (waiter, readiness) = state.withLock { ($0.waiters.removeValue(forKey: id), $0.readiness) }
        waiter?.reply(readiness)
    }

    private func run() {
        Task(executorPreference: thread) { [self] in
            end(BookSearch.updateIndex(of: store, stop: stopSignal))
        }
    }

    private func end(_ result: IndexUpdate) {
        let now = clock.nanoseconds()
        let (served, readiness, starts, next, stopping) = state.withLock {
            state -> ([Waiter], Readiness, Bool, UInt64?, [CheckedContinuation<Void, Never>]) in
            state.schedule.end(result, now: now)
            state.failure = if case .failed(let failure) = result { failure } else { nil }
            // The store may have changed since the update began.
            let latest = state.waiters.values.map(\.version).max()
            let starts = latest.map { state.start($0, now: now) } ?? false
            let isOver = state.failure != nil || state.isStopping
            let served = state.waiters.filter {
                isOver || state.schedule.timeout(for: $0.value.version, since: $0.value.since) == nil
            }
            for id in served.keys { state.waiters[id] = nil }
            defer { state.stopping = [] }
            return (Array(served.values), state.readiness, starts, state.nextStart, state.stopping)
        }
        if starts { run() }
        retry(at: next, from: now)
        serve(served, readiness)
        for continuation in stopping { continuation.resume() }
    }
}
