package import Formats
package import Pipeline
package import Services
package import Store
package import System

/// Progress reports of a running import.
package enum ImportEvent: Sendable {
    /// The files were surveyed.
    case surveyed(LibrarySurvey)
    /// Expected duration of the services. It comes before ``began(_:)``, if it is known.
    case estimated(ServiceEstimate)
    /// The job has begun, or continues from its checkpoint.
    case began(Job)
    case ran(RunEvent)
    /// The number of records in the next committed batch that wait for services.
    case pendingInBatch(Int)
    /// The number of pending records whose answers have arrived.
    case finished(Int)
    /// All records are read, and the pending pass begins: this many records wait for services or for a review
    /// decision to be applied.
    case pendingPassBegan(Int)
    /// The pending records stay pending: the cached answers of this many other records were deleted and
    /// cannot be fetched again now.
    case stayedPending(Int)
    /// The run was stopped; the answers that have arrived are brought into the library before it ends.
    case addingAnswers
    /// The input could not be copied into the store, so the job needs its files to finish pending records.
    case inputsNotKept(ETLError)
    /// Rate limits are not shared with other runs, because their file cannot be used.
    case limitsNotShared(ETLError)
    /// Services that are configured now but not asked, because the job began without them.
    case servicesLeftOut([String])
    /// A store that another program has locked; the import waits for it.
    case locked(String)
    /// The status of a service that the import waits for.
    case waiting(ServiceStatus)
}

/// The progress of an import, computed from its events.
package struct ImportProgress: Sendable {
    /// The job, once it has begun.
    package private(set) var job: Job?
    /// Number of records that are stored and not pending. It never decreases, although the number of pending
    /// records in a batch is known shortly before the batch is stored.
    package private(set) var done = 0
    /// Number of rejected records.
    package private(set) var rejected = 0
    /// Number of stored records.
    private var committed = 0
    /// Number of pending records among those that are stored or stored next.
    private var open = 0
    private var statuses: [String: ServiceStatus] = [:]
    /// Expected duration of the services; nil if unknown.
    package private(set) var estimate: ServiceEstimate?
    /// Number of requests that each service got in this run.
    private var calls: [String: Int] = [:]
    /// Number of pending records when the pending pass began; nil before.
    private var pendingAtFirst: Int?

    /// The progress of an import that has not begun.
    package init() {}

    /// The services whose answers are waited for, sorted by name.
    package var waiting: [ServiceStatus] { statuses.values.sorted { $0.service < $1.service } }

    /// Seconds that the services still need; nil if that is unknown or nothing is waited for.
    ///
    /// At first it is what the forecast says, without the requests that were made. The more records are
    /// finished, the more their rate counts.
    ///
    /// - Parameter elapsed: Seconds since the job began.
    package func serviceSecondsLeft(elapsed: Double) -> Double? {
        guard let estimate, !statuses.isEmpty else { return nil }
        let queued = statuses.values.map(\.secondsLeft).max() ?? 0
        let expected = estimate.secondsLeft(
            after: calls, waitingFor: Set(statuses.keys), elapsed: elapsed)
        guard let pendingAtFirst, open < pendingAtFirst else { return max(queued, expected) }
        let share = Double(pendingAtFirst - open) / Double(pendingAtFirst)
        let atThisRate = elapsed * (1 - share) / share
        return max(queued, (1 - share) * expected + share * atThisRate)
    }

    /// Updates the progress with an event.
    package mutating func note(_ event: ImportEvent) {
        switch event {
        case .began(let job):
            self.job = job
            committed = job.counts.totalProcessed
            open = job.pending
            done = max(0, committed - open)
            rejected = job.counts.rejected
        case .pendingPassBegan(let count):
            open = count
            pendingAtFirst = count
        case .pendingInBatch(let count): open += count
        case .finished(let count):
            open = max(0, open - count)
            advance()
        case .waiting(let status):
            statuses[status.service] = status.open > 0 ? status : nil
            calls[status.service] = status.calls
        case .estimated(let estimate): self.estimate = estimate
        case .ran(.committed(_, let records, let rejects)):
            committed += records
            rejected += rejects.values.reduce(0) { $0 + $1.count }
            advance()
        case .surveyed, .stayedPending, .addingAnswers, .inputsNotKept, .limitsNotShared, .servicesLeftOut,
            .locked, .ran(.retrying), .ran(.writing):
            break
        }
    }

    private mutating func advance() { done = max(done, committed - open) }
}
