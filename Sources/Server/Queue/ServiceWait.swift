/// The wait of a job whose records are all stored, of which services have left some unanswered. When it is over, the
/// server asks them again.
package struct ServiceWait: Sendable, Hashable, Codable {
    /// The first pause, and the longest one, in milliseconds. Each pause without a new answer is twice as long as the
    /// one before.
    private static let (shortest, longest): (Int64, Int64) = (60_000, 6 * 3_600_000)
    /// Time without a new answer after which the job is completed with what it has, in milliseconds.
    private static let timeout: Int64 = 7 * 86_400_000

    /// The names of the services.
    package private(set) var services: [String]
    /// When they are asked again, in milliseconds since 1970.
    package private(set) var until: Int64
    /// Number of records that wait.
    private var pending: Int
    /// When the number of waiting records last became less, in milliseconds since 1970, and the runs since then.
    private var since: Int64
    private var runs: Int

    /// The wait after a run.
    ///
    /// - Parameters:
    ///   - previous: The wait before the run; nil for the first.
    ///   - resumeAt: When the first of the services can be asked again, in milliseconds since 1970; nil if unknown.
    ///   - now: Milliseconds since 1970.
    /// - Returns: Nil if the job has waited long enough.
    package init?(
        after previous: ServiceWait?, for services: [String], pending: Int, resumeAt: Int64?, now: Int64
    ) {
        self.services = services
        self.pending = pending
        (since, runs) = (now, 1)
        if let previous, pending >= previous.pending {
            (since, runs) = (previous.since, previous.runs + 1)
        }
        guard now - since < Self.timeout else { return nil }
        let pause = min(Self.longest, Self.shortest << Int64(min(runs - 1, 16)))
        until = max(now + pause, min(resumeAt ?? 0, now + 2 * 86_400_000))
    }

    /// The wait as a message.
    var sentence: String { "Waiting for \(services.joined(separator: ", "))" }
}

/// The jobs that wait for services.
struct WaitingJobs: Sendable {
    private var jobs: [Int64: QueuedJob] = [:]

    mutating func add(_ job: QueuedJob) { jobs[job.id] = job }

    /// Takes the jobs whose wait is over, in the order of their acceptance.
    mutating func takeDue(at now: Int64) -> [QueuedJob] {
        let due = jobs.values.filter { ($0.options.wait?.until ?? 0) <= now }.sorted { $0.id < $1.id }
        for job in due { jobs[job.id] = nil }
        return due
    }

    /// Takes a job by its name; nil if it does not wait.
    mutating func take(_ name: String) -> QueuedJob? {
        guard let id = jobs.values.first(where: { $0.options.job == name })?.id else { return nil }
        return jobs.removeValue(forKey: id)
    }

    /// Whether the job with a number waits.
    func has(_ id: Int64) -> Bool { jobs[id] != nil }

    /// Removes a job by its number.
    ///
    /// - Returns: Whether it waited.
    mutating func remove(_ id: Int64) -> Bool { jobs.removeValue(forKey: id) != nil }

    /// A job by its name; nil if it does not wait.
    subscript(name: String) -> QueuedJob? { jobs.values.first { $0.options.job == name } }
}
