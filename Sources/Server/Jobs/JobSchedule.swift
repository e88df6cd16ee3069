/// Which jobs wait, and which one runs. The store admits one writer, so jobs run one after the other.
package struct JobSchedule: Sendable {
    private var waiting: [QueuedJob] = []
    package private(set) var running: QueuedJob?
    package private(set) var isStopping = false

    package init() {}

    /// Number of jobs that wait.
    package var waitingCount: Int { waiting.count }

    package mutating func add(_ job: QueuedJob) { waiting.append(job) }

    /// Takes the next job, to run it; nil if there is none, or one runs already.
    package mutating func next() -> QueuedJob? {
        guard running == nil, !isStopping, !waiting.isEmpty else { return nil }
        running = waiting.removeFirst()
        return running
    }

    /// The running job has ended.
    package mutating func end() { running = nil }

    /// Takes an order of a job out of those that wait; nil if none waits.
    package mutating func withdraw(_ job: String) -> QueuedJob? {
        guard let place = waiting.firstIndex(where: { $0.terms.job == job }) else { return nil }
        return waiting.remove(at: place)
    }

    /// Whether an order of a job waits or runs.
    package func has(_ job: String) -> Bool {
        running?.terms.job == job || waiting.contains { $0.terms.job == job }
    }

    /// No further job is begun.
    package mutating func stop() { isStopping = true }
}
