package import Jobs

/// Which jobs wait, for their turn or for services, and which one runs. The store admits one writer, so one job runs at a
/// time, and users share it fairly: a job that has had its share stops at its checkpoint and goes on when its turn comes
/// again. A large job gives way to small ones of its own user too.
///
/// Next is the user who was served for the shortest time; a job that asks no service has a head start. A user without
/// jobs gains nothing: the next one starts like the least served of those with jobs. Jobs of the server itself wait for
/// those of all users. All times are nanoseconds of a monotonic clock.
package struct JobSchedule: Sendable {
    /// Time that a job has at least before another user's first job interrupts it. It is also the head start of a new
    /// user, and of a new job that asks no service.
    package static let shortestShare: UInt64 = 1_000_000_000
    /// The share doubles each time, because what a stopped job has under way is lost. This is the longest.
    package static let longestShare: UInt64 = 60_000_000_000
    /// The longest share while a job waits that has not run yet: a short one is to be done within five seconds. A job that
    /// needs longer than half of it to get under way has more.
    package static let longestShareBesideNew: UInt64 = 3_000_000_000

    /// Result of canceling a job.
    package enum Cancellation: Sendable, Hashable {
        /// It runs, and has to stop. It ends as canceled whatever it was about to do.
        case stops
        /// It waited, and waits no longer. The caller ends it.
        case withdrawn(QueuedJob)
        /// It neither waits nor runs, or has its result.
        case none
    }

    /// The turns of a job so far.
    private struct Turns: Sendable {
        /// Its next share; nil if it was not interrupted.
        var share: UInt64?
        /// The longest time that it needed to get under way; nil if it never has.
        var startup: UInt64?
        /// Time of all turns before the present one.
        var spent: UInt64 = 0
        /// The part of it in which the job worked.
        var worked: UInt64 = 0
    }

    private var waiting: [QueuedJob] = []
    /// The jobs that wait for services.
    private var waits = WaitingJobs()
    /// The scans whose photos are not read yet, in the order of their acceptance. Reading does not need the store.
    var unread: [QueuedJob] = []
    package private(set) var running: QueuedJob?
    /// When the running job began or went on.
    private var startedAt: UInt64 = 0
    /// Whether the running job has its result, and only cleaning up is left.
    private var isSettled = false
    /// Whether the running job is canceled.
    package private(set) var isCanceling = false
    /// Whether the running job is to stop for another user's job.
    private var isYielding = false
    /// Whether the running job has had the time that one may have.
    package private(set) var isExpired = false
    /// Whether the running job has surveyed its input and works on records.
    private var isUnderWay = false
    package private(set) var isStopping = false
    /// How often jobs are held back.
    private var holds = 0
    /// How long each user was served before the running job began or went on; only of users with jobs.
    private var served: [String: UInt64] = [:]
    private var turns: [Int64: Turns] = [:]
    /// Time in which the running job worked in all its turns, and how much of it was last kept.
    private var work = WorkTime()
    private var keptWork: UInt64 = 0

    package init() {}

    /// The job that runs and has no result yet.
    package var unsettled: QueuedJob? { isSettled ? nil : running }

    /// Number of jobs that wait.
    package var waitingCount: Int { waiting.count }

    /// Whether a job waits that the running one gives way to.
    package var isContended: Bool {
        guard let running else { return !waiting.isEmpty }
        return waiting.contains { running.yields(to: $0) }
    }

    /// Why a user's next job gets no place; nil if it gets one.
    package func refusal(of user: String, _ places: Places) -> Places.Refusal? {
        let waiting = waiting + unread
        let own = waiting.count { $0.user == user }
        return places.refusal(
            taken: waiting.count, own: own,
            isAlone: own == waiting.count && (running == nil || running?.user == user))
    }

    /// When the user's job that waits longest was accepted, in milliseconds since 1970; nil if none waits.
    package var oldestAcceptance: Int64? { waiting.filter { !$0.isBackground }.map(\.acceptedAt).min() }

    package mutating func add(_ job: QueuedJob, at now: UInt64 = 0) {
        if served[job.user] == nil {
            // With the time of the running job so far: else its user would wait as long once more.
            let users = Set((waiting + [running].compactMap(\.self)).filter { !$0.isBackground }.map(\.user))
            let times = served.filter { users.contains($0.key) }.map { user, time in
                user == running?.user ? time + elapsed(at: now) : time
            }
            let least = times.min() ?? 0
            served[job.user] = least - min(least, Self.shortestShare)
        }
        waiting.append(job)
    }

    /// How long the running job has run since it began or went on.
    private func elapsed(at now: UInt64) -> UInt64 { now - min(now, startedAt) }

    /// Takes the next job, to run it; nil if there is none, or one runs already.
    package mutating func next(at now: UInt64 = 0) -> QueuedJob? {
        guard running == nil, !isStopping, holds == 0, let place = order.first else { return nil }
        let job = waiting.remove(at: place)
        running = job
        (isSettled, isCanceling, isYielding, isExpired, isUnderWay) = (false, false, false, false, false)
        startedAt = now
        keptWork = turns[job.id]?.worked ?? 0
        work = WorkTime(keptWork, at: now)
        return job
    }

    /// Whether a job was run before, and goes on.
    package func hasRun(_ job: QueuedJob) -> Bool { turns[job.id]?.share != nil }

    /// Whether the running job has had its share, and a small job or somebody else waits who was served less.
    package func isDue(at now: UInt64) -> Bool {
        guard let running, !isSettled, let place = order.first else { return false }
        let next = waiting[place]
        guard running.yields(to: next) else { return false }
        let time = elapsed(at: now)
        if running.isBackground { return time >= Self.shortestShare }
        guard time >= share(of: running, before: next) else { return false }
        return next.user == running.user
            || Int64((served[running.user] ?? 0) + time) >= precedence(of: next)
    }

    private func share(of job: QueuedJob, before next: QueuedJob) -> UInt64 {
        let share = turns[job.id]?.share ?? Self.shortestShare
        // One that never got under way in its turns needs longer ones, whoever waits.
        guard let startup = turns[job.id]?.startup else { return share }
        return max(hasRun(next) ? share : min(share, Self.longestShareBesideNew), 2 * startup)
    }

    /// The running job has surveyed its input and works on records. Call it as often as you like.
    package mutating func beginWork(at now: UInt64) {
        guard let running, !isUnderWay else { return }
        isUnderWay = true
        let startup = max(turns[running.id]?.startup ?? 0, elapsed(at: now))
        turns[running.id, default: Turns()].startup = startup
    }

    /// Interrupts the running job if it is due.
    ///
    /// - Returns: Whether it has to stop.
    package mutating func interrupt(at now: UInt64) -> Bool {
        guard isDue(at: now), !isCanceling else { return false }
        isYielding = true
        return true
    }

    /// Whether the running job has to stop only for another user's job.
    package var isInterrupted: Bool { isYielding && !isCanceling && !isStopping && !isExpired }

    /// Notes what the running job does.
    package mutating func noteWork(_ note: (inout WorkTime) -> Void) { if running != nil { note(&work) } }

    /// How long a job has worked, in milliseconds, so that it can be kept for the next process; nil if the running one has
    /// worked for less than a minute since it was kept last.
    package mutating func timeToKeep(at now: UInt64) -> (job: Int64, milliseconds: Int64)? {
        guard let running, !isSettled, work.spent(at: now) >= keptWork + 60_000_000_000 else { return nil }
        keptWork = work.spent(at: now)
        return (running.id, Int64(keptWork / 1_000_000))
    }

    /// Whether the running job awaits answers of services.
    package var awaitsAnswers: Bool { work.awaitsAnswers }

    /// How long the running job has worked, in milliseconds.
    package func workedMilliseconds(at now: UInt64) -> Int64 { Int64(work.spent(at: now) / 1_000_000) }

    /// Stops the running job if it has worked too long in all its turns together.
    ///
    /// - Parameter limit: Nanoseconds.
    /// - Returns: Whether it has to stop.
    package mutating func expire(at now: UInt64, after limit: UInt64) -> Bool {
        guard running != nil, !isSettled, !isCanceling,
            work.spent(at: now) >= limit
        else { return false }
        isExpired = true
        return true
    }

    /// Cancels a job.
    package mutating func cancel(_ job: String) -> Cancellation {
        if let place = unread.firstIndex(where: { $0.options.job == job }) {
            return .withdrawn(unread.remove(at: place))
        }
        if let withdrawn = withdraw(job) ?? waits.take(job) {
            turns[withdrawn.id] = nil
            return .withdrawn(withdrawn)
        }
        guard running?.options.job == job, !isSettled else { return .none }
        isCanceling = true
        return .stops
    }

    /// A job waits again: after a restart, or because it could not be ended.
    package mutating func restore(_ job: QueuedJob, at now: UInt64 = 0) {
        if let worked = job.options.worked {
            turns[job.id] = Turns(worked: UInt64(max(0, worked)) * 1_000_000)
        }
        if job.isWaitingForServices { waits.add(job) } else { accept(job, at: now) }
    }

    // MARK: Services

    /// The running job has its result, but services have left records open.
    ///
    /// - Returns: Whether it waits for them; not if it was canceled meanwhile. Then the caller ends it.
    package mutating func wait(_ job: QueuedJob) -> Bool {
        guard !isCanceling else { return false }
        settle(job)
        waits.add(job)
        return true
    }

    /// The job of that name which waits for services; nil if it does not.
    package func waitingForServices(_ job: String) -> QueuedJob? { waits[job] }

    /// A job waits for services no longer, because another run for it asks them.
    package mutating func endWait(of job: Int64) {
        if waits.remove(job) { turns[job] = nil }
    }

    /// Queues the jobs whose wait for services is over.
    ///
    /// - Parameters:
    ///   - epoch: Milliseconds since 1970.
    ///   - now: Nanoseconds of the monotonic clock.
    /// - Returns: Whether there are any.
    package mutating func resume(at epoch: Int64, _ now: UInt64) -> Bool {
        let due = waits.takeDue(at: epoch)
        for job in due { add(job, at: now) }
        return !due.isEmpty
    }

    // MARK: The end

    /// The result of the running job is stored. Clients may ask for it and correct it, but the next job does not start yet.
    package mutating func settle(_ job: QueuedJob) {
        if running?.id == job.id { isSettled = true }
    }

    /// The running job has ended, or goes on later.
    ///
    /// - Returns: The job if it was to go on but has been canceled meanwhile. Then the caller ends it.
    @discardableResult
    package mutating func end(at now: UInt64 = 0, goesOn: Bool = false) -> QueuedJob? {
        guard let job = running else { return nil }
        served[job.user, default: 0] += elapsed(at: now)
        turns[job.id, default: Turns()].spent += elapsed(at: now)
        turns[job.id]?.worked = work.spent(at: now)
        running = nil
        let isCanceled = goesOn && isCanceling
        if goesOn, !isCanceled {
            let share = turns[job.id]?.share ?? Self.shortestShare
            turns[job.id]?.share = min(share * 2, Self.longestShare)
            // Before the later jobs of its user, which may build on it, but behind those that it gave way to.
            waiting.insert(
                job, at: waiting.firstIndex { $0.user == job.user && !job.yields(to: $0) } ?? waiting.endIndex
            )
        } else {
            forget(job)
        }
        return isCanceled ? job : nil
    }

    private mutating func forget(_ job: QueuedJob) {
        forgetTurns(of: job)
        if !waiting.contains(where: { $0.user == job.user }) { served[job.user] = nil }
    }

    /// A job that waits for services has another run. The time that it has had counts.
    private mutating func forgetTurns(of job: QueuedJob) {
        turns[job.id] =
            waits.has(job.id) ? turns[job.id].map { Turns(spent: $0.spent, worked: $0.worked) } : nil
    }

    /// Takes a job out of those that wait; nil if it does not wait.
    package mutating func withdraw(_ job: String) -> QueuedJob? {
        guard let place = waiting.firstIndex(where: { $0.options.job == job }) else { return nil }
        let withdrawn = waiting.remove(at: place)
        if running?.user != withdrawn.user { forget(withdrawn) } else { forgetTurns(of: withdrawn) }
        return withdrawn
    }

    /// Whether a job waits, or runs and has no result yet.
    package func has(_ job: String) -> Bool {
        running?.options.job == job && !isSettled || (waiting + unread).contains { $0.options.job == job }
    }

    /// The place of a job among those that wait: 1 for the next; nil if it does not wait.
    package func position(of job: String) -> Int? {
        order.firstIndex { waiting[$0].options.job == job }.map { $0 + 1 }
    }

    /// Maximum wait of a job for its turn, in nanoseconds; nil if it does not wait, or if a job before it neither gives way
    /// to it nor has a known end.
    ///
    /// - Parameter left: How long the running job needs until its end; nil if unknown.
    package func wait(of job: String, at now: UInt64, left: UInt64?) -> UInt64? {
        let order = order
        guard let place = order.firstIndex(where: { waiting[$0].options.job == job }) else { return nil }
        let next = waiting[order[place]]
        var wait: UInt64 = 0
        if let running {
            let time = elapsed(at: now)
            var share = left
            if running.yields(to: next) {
                let turn = self.share(of: running, before: next)
                share = min(left ?? .max, turn - min(turn, time))
            }
            guard let share else { return nil }
            wait += share
        }
        for index in order[..<place] {
            guard waiting[index].yields(to: next) || waiting[index].isSmall else { return nil }
            wait += share(of: waiting[index], before: next)
        }
        return wait
    }

    /// How long the running job has run in all its turns; nil if it is another one.
    package func spent(on job: String, at now: UInt64) -> UInt64? {
        guard let running, running.options.job == job else { return nil }
        return spent(on: running, at: now)
    }

    private func spent(on running: QueuedJob, at now: UInt64) -> UInt64 {
        (turns[running.id]?.spent ?? 0) + elapsed(at: now)
    }

    /// The jobs that wait, in the order of their turns.
    package var queue: [QueuedJob] { order.map { waiting[$0] } }

    /// No further job is begun.
    package mutating func stop() { isStopping = true }

    /// No job is begun until ``release()``.
    ///
    /// - Returns: Whether a job runs, and has to stop.
    package mutating func hold() -> Bool {
        holds += 1
        guard running != nil else { return false }
        isYielding = true
        return true
    }

    /// Ends a ``hold()``.
    package mutating func release() { holds -= 1 }

    /// How long the user of a job was served, less the job's head start: jobs with less go first.
    private func precedence(of job: QueuedJob) -> Int64 {
        let isShort = !job.options.asksServices && !hasRun(job)
        return Int64(served[job.user] ?? 0) - (isShort ? Int64(Self.shortestShare) : 0)
    }

    /// Indices of ``waiting`` in the order of their turns: first the first job of each user, then the second ones, and the
    /// server's own ones last. A job that runs is the first of its user. Small jobs are before the large ones of their user.
    private var order: [Int] {
        var ranks: [String: Int] = running.map { [$0.user: 1] } ?? [:]
        let small = waiting.indices.filter { waiting[$0].isSmall }
        let turns = (small + waiting.indices.filter { !waiting[$0].isSmall }).map {
            index -> (rank: Int, precedence: Int64, index: Int) in
            let job = waiting[index]
            defer { ranks[job.user, default: 0] += 1 }
            return (job.isBackground ? Int.max : ranks[job.user] ?? 0, precedence(of: job), index)
        }
        return turns.sorted { ($0.rank, $0.precedence, $0.index) < ($1.rank, $1.precedence, $1.index) }.map(
            \.index)
    }
}
