import Database
import System

/// The services that a job's runs have asked. Later runs of the job use their answers even if they cannot ask
/// them; otherwise a run without a service would drop its values.
struct JobServices {
    let connection: Connection

    /// Names of the services that a job has asked, and of those that its records wait for.
    func names(of job: Job) throws(ETLError) -> Set<String> {
        var names = Set(try PendingRecords(connection).counts(ofJob: job.id).map(\.service))
        names.remove(Reviews.pendingService)
        return names.union(job.runState.services ?? [])
    }

    /// Records that a job asks services from now on.
    func note(_ asked: Set<String>, of job: Job) throws(ETLError) {
        var state = job.runState
        let all = try names(of: job).union(asked).sorted()
        guard all != state.services else { return }
        state.services = all
        try JobTable(connection).keep(state, of: job)
    }
}
