/// Which jobs wait, and which one runs. The store admits one writer, so jobs run one after the other.
package struct JobSchedule: Sendable {
    private var waiting: [QueuedJob] = []
    package private(set) var running: QueuedJob?
    /// Whether the running job has its result, and only cleaning up is left.
    private var isSettled = false
    package private(set) var isStopping = false

    package init() {}

    /// Number of jobs that wait.
    package var waitingCount: Int { waiting.count }

    /// When the oldest job that waits was accepted, in milliseconds since 1970; nil if none waits.
    package var oldest: Int64? { waiting.map(\.acceptedAt).min() }

    package mutating func add(_ job: QueuedJob) { waiting.append(job) }

    /// Takes the next job, to run it; nil if there is none, or one runs already.
    package mutating func next() -> QueuedJob? {
        guard running == nil, !isStopping, !waiting.isEmpty else { return nil }
        running = waiting.removeFirst()
        isSettled = false
        return running
    }

    /// The result of the running job is stored. Clients may ask for it and correct it, but the next job does not start yet.
    package mutating func settle(_ job: QueuedJob) {
        if running?.id == job.id { isSettled = true }
    }

    /// The running job has ended.
    package mutating func end() { running = nil }

    /// Takes an order of a job out of those that wait; nil if none waits.
    package mutating func withdraw(_ job: String) -> QueuedJob? {
        guard let place = waiting.firstIndex(where: { $0.terms.job == job }) else { return nil }
        return waiting.remove(at: place)
    }

    /// Whether a job waits, or runs and has no result yet.
    package func has(_ job: String) -> Bool {
        running?.terms.job == job && !isSettled || waiting.contains { $0.terms.job == job }
    }

    /// No further job is begun.
    package mutating func stop() { isStopping = true }
}
