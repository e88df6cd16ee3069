package import Books
import Pipeline
package import Services

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
