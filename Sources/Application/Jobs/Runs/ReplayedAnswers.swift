import Books
import Services
import System

/// The answer cache of a run. It says when enough new answers have arrived to run the job again with them, and
/// holds answers back while that happens, because the store's transaction may still be discarded.
///
///     clients ──save──▶ ReplayedAnswers ──▶ store
///                           │
///                           └─ a replay is due ─▶ the pending pass ends its slice
actor ReplayedAnswers: AnswerCache {
    private let cache: any AnswerCache
    private let log: AnswerLog
    private let clock: any RunClock
    private var replays: ReplaySchedule
    /// Called once when a replay is due; nil outside the pending pass.
    private var onDue: (@Sendable () async -> Void)?
    private var timer: Task<Void, Never>?
    private var firing: Task<Void, Never>?
    private var isHeld = false
    /// Number of saves whose answers are in the log and not yet in the store.
    private var loggedCount = 0
    /// Saves that wait for a replay to end.
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// - Parameter log: Keeps what is held back, in case the process is killed.
    init(_ cache: any AnswerCache, log: AnswerLog, clock: any RunClock) {
        self.cache = cache
        self.log = log
        self.clock = clock
        replays = ReplaySchedule(at: clock.nanoseconds())
    }

    nonisolated func cachedAnswers(
        in form: AnswerFormat, _ keys: [ServiceKey]
    ) async throws(ETLError) -> [CachedAnswer?] {
        try await cache.cachedAnswers(in: form, keys)
    }

    func save(_ answers: [NewAnswer], in form: AnswerFormat) async throws(ETLError) {
        if isHeld {
            loggedCount += 1
            log.append(answers, in: form)
            while isHeld { await withCheckedContinuation { waiters.append($0) } }
            try await cache.save(answers, in: form)
            loggedCount -= 1
            if loggedCount == 0 { log.remove() }
        } else {
            try await cache.save(answers, in: form)
        }
        replays.note(answers: answers.count, books: answers.count { $0.key.kind.isOfBooks })
        schedule()
    }

    // MARK: Slices of the pending pass

    /// Starts a slice.
    ///
    /// - Parameter action: Called at most once, when a replay is due.
    func beginSlice(_ action: @escaping @Sendable () async -> Void) {
        onDue = action
        schedule()
    }

    /// Ends a slice. Its action is not called any more, or has ended.
    func endSlice() async {
        disarm()
        await firing?.value
        firing = nil
    }

    private func disarm() {
        onDue = nil
        timer?.cancel()
        timer = nil
    }

    private func schedule() {
        guard onDue != nil, let due = replays.dueAt else { return }
        let now = clock.nanoseconds()
        guard due > now else { return fire() }
        guard timer == nil else { return }
        timer = Task { [clock] in
            await clock.sleep(nanoseconds: due - now)
            guard !Task.isCancelled else { return }
            self.timer = nil
            self.schedule()
        }
    }

    private func fire() {
        guard let action = onDue else { return }
        disarm()
        firing = Task { await action() }
    }

    // MARK: Replays

    /// Runs the job again. Answers that arrive meanwhile are saved afterwards.
    func replay<Result: Sendable>(
        _ body: @Sendable () async throws(ETLError) -> Result
    ) async throws(ETLError) -> Result {
        isHeld = true
        let began = clock.nanoseconds()
        defer {
            isHeld = false
            replays.replayed(from: began, to: clock.nanoseconds())
            for waiter in waiters { waiter.resume() }
            waiters = []
        }
        return try await body()
    }
}
