package import Books
package import Pipeline
package import Services

/// What an import tells while it runs.
package enum ImportEvent: Sendable {
    /// The files were looked at.
    case surveyed(LibrarySurvey)
    /// The job has begun, or goes on from its checkpoint.
    case began(Job)
    case ran(RunEvent)
    /// Of the records of a batch, which is committed next, so many wait for services.
    case leftOpen(Int)
    /// So many of the records that waited have come to their answers.
    case settled(Int)
    /// All is read; so many records wait for services, which are asked once more, or for what their reader has decided.
    case takingUp(Int)
    /// What could be taken up stays as it is: answers to so many other records were dropped, and cannot be had again now.
    case heldBack(Int)
    /// Services that are set up by now and not asked: the job was begun without them, and goes on as it was begun.
    case leftOut([String])
    /// A store that another program has locked, and that is waited for.
    case locked(String)
    /// How a service stands that is waited for.
    case waiting(ServiceStatus)
}

/// How far an import has come, by what it has told of itself.
package struct ImportProgress: Sendable {
    /// The job, once it has begun.
    package private(set) var job: Job?
    /// Records that are stored and wait for nobody. It never goes back: how many of a batch wait is known a moment
    /// before the batch is stored.
    package private(set) var done = 0
    /// Records that were turned away.
    package private(set) var rejected = 0
    /// Records that are stored.
    private var committed = 0
    /// Of them and of those that are stored next, the ones that wait for services.
    private var open = 0
    private var standings: [String: ServiceStatus] = [:]

    /// Of an import that has not begun.
    package init() {}

    /// The services that answers are waited for, in the order of their names.
    package var waiting: [ServiceStatus] { standings.values.sorted { $0.service < $1.service } }

    /// Takes in what the import has told.
    package mutating func note(_ event: ImportEvent) {
        switch event {
        case .began(let job):
            self.job = job
            committed = job.counts.totalProcessed
            open = job.pending
            done = max(0, committed - open)
            rejected = job.counts.rejected
        case .takingUp(let count): open = count
        case .leftOpen(let count): open += count
        case .settled(let count):
            open = max(0, open - count)
            advance()
        case .waiting(let standing):
            standings[standing.service] = standing.open > 0 ? standing : nil
        case .ran(.committed(_, let records, let rejects)):
            committed += records
            rejected += rejects.values.reduce(0) { $0 + $1.count }
            advance()
        case .surveyed, .heldBack, .leftOut, .locked, .ran(.retrying): break
        }
    }

    private mutating func advance() { done = max(done, committed - open) }
}
