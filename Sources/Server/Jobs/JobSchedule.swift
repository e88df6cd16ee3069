/// Which jobs wait, and which one runs. The store admits one writer, so one job runs at a time, and users share it
/// fairly: a job that has had its share stops at its checkpoint and goes on when its turn comes again.
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

    private var waiting: [QueuedJob] = []
    package private(set) var running: QueuedJob?
    /// When the running job began or went on.
    private var startedAt: UInt64 = 0
    /// Whether the running job has its result, and only cleaning up is left.
    private var isSettled = false
    package private(set) var isStopping = false
    /// How often jobs are held back.
    private var holds = 0
    /// How long each user was served before the running job began or went on; only of users with jobs.
    private var served: [String: UInt64] = [:]
    /// The next share of each job that was interrupted, by number.
    private var shares: [Int64: UInt64] = [:]

    package init() {}

    /// Number of jobs that wait.
    package var waitingCount: Int { waiting.count }

    /// Whether another user's job waits.
    package var isContended: Bool {
        guard let running else { return !waiting.isEmpty }
        return waiting.contains { $0.user != running.user }
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
        isSettled = false
        startedAt = now
        return job
    }

    /// Whether a job was run before, and goes on.
    package func hasRun(_ job: QueuedJob) -> Bool { shares[job.id] != nil }

    /// Whether the running job has had its share and somebody else waits who was served less.
    package func isDue(at now: UInt64) -> Bool {
        guard let running, !isSettled, let place = order.first else { return false }
        let next = waiting[place]
        guard next.user != running.user, !next.isBackground else { return false }
        let time = elapsed(at: now)
        if running.isBackground { return time >= Self.shortestShare }
        let share = hasRun(next) ? shares[running.id] ?? Self.shortestShare : Self.shortestShare
        return time >= share && Int64((served[running.user] ?? 0) + time) >= precedence(of: next)
    }

    /// The result of the running job is stored. Clients may ask for it and correct it, but the next job does not start yet.
    package mutating func settle(_ job: QueuedJob) {
        if running?.id == job.id { isSettled = true }
    }

    /// The running job has ended, or goes on later.
    package mutating func end(at now: UInt64 = 0, goesOn: Bool = false) {
        guard let job = running else { return }
        served[job.user, default: 0] += elapsed(at: now)
        running = nil
        if goesOn {
            shares[job.id] = min((shares[job.id] ?? Self.shortestShare) * 2, Self.longestShare)
            // Before the later jobs of its user, which may build on it.
            waiting.insert(job, at: waiting.firstIndex { $0.user == job.user } ?? waiting.endIndex)
        } else {
            forget(job)
        }
    }

    private mutating func forget(_ job: QueuedJob) {
        shares[job.id] = nil
        if !waiting.contains(where: { $0.user == job.user }) { served[job.user] = nil }
    }

    /// Takes an order of a job out of those that wait; nil if none waits.
    package mutating func withdraw(_ job: String) -> QueuedJob? {
        guard let place = waiting.firstIndex(where: { $0.terms.job == job }) else { return nil }
        let withdrawn = waiting.remove(at: place)
        if running?.user != withdrawn.user { forget(withdrawn) } else { shares[withdrawn.id] = nil }
        return withdrawn
    }

    /// Whether a job waits, or runs and has no result yet.
    package func has(_ job: String) -> Bool {
        running?.terms.job == job && !isSettled || waiting.contains { $0.terms.job == job }
    }

    /// The place of a job among those that wait: 1 for the next; nil if it does not wait.
    package func position(of job: String) -> Int? {
        order.firstIndex { waiting[$0].terms.job == job }.map { $0 + 1 }
    }

    /// No further job is begun.
    package mutating func stop() { isStopping = true }

    /// No job is begun until ``release()``.
    package mutating func hold() { holds += 1 }

    /// Ends a ``hold()``.
    package mutating func release() { holds -= 1 }

    /// How long the user of a job was served, less the job's head start: jobs with less go first.
    private func precedence(of job: QueuedJob) -> Int64 {
        let isShort = !job.terms.asksServices && !hasRun(job)
        return Int64(served[job.user] ?? 0) - (isShort ? Int64(Self.shortestShare) : 0)
    }

    /// Indices of ``waiting`` in the order of their turns: first the first job of each user, then the second ones, and the
    /// server's own ones last. A job that runs is the first of its user.
    private var order: [Int] {
        var ranks: [String: Int] = running.map { [$0.user: 1] } ?? [:]
        let turns = waiting.indices.map { index -> (rank: Int, precedence: Int64, index: Int) in
            let job = waiting[index]
            defer { ranks[job.user, default: 0] += 1 }
            return (job.isBackground ? Int.max : ranks[job.user] ?? 0, precedence(of: job), index)
        }
        return turns.sorted { ($0.rank, $0.precedence, $0.index) < ($1.rank, $1.precedence, $1.index) }.map(
            \.index)
    }
}
