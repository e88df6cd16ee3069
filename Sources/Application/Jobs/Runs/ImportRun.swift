import Contract
import Database
import Formats
import Pipeline
import Queries
import Store
import System

/// Common part of imports of all modes: clocks, the stop signal, the run's observer, and the functions that watch and
/// run a job.
struct ImportRun: Sendable {
    let clock: any RunClock
    /// Decides when answers that have arrived are brought into the library.
    let replayClock: any RunClock
    /// Decides when the run looks whether another process cancels it, and tells how far it is.
    let watchClock: any RunClock
    let stop: StopSignal
    /// The progress so far, for other processes.
    let progress: Guarded<ImportProgress>
    let observe: @Sendable (ImportEvent) -> Void
    let commits: (@Sendable (ResultsStore.CommitPoint) -> Void)?
    let reshape: @Sendable (Flow) -> Flow

    /// Lets other processes see how far the run is, and stop it, while it works and while it waits.
    /// Ends when its task is canceled.
    func watch(_ job: Job, _ store: ResultsStore) async {
        let began = watchClock.nanoseconds()
        while !Task.isCancelled {
            if store.isCancelRequested(of: job.name) { stop.raise() }
            let elapsed = Double(watchClock.nanoseconds() - began) / 1e9
            let state = progress.withLock { $0 }
            let seconds = state.serviceSecondsLeft(elapsed: elapsed).map { Int(min($0, 1e9).rounded(.up)) }
            store.publish(RunProgress(done: state.done, secondsLeft: seconds))
            await watchClock.sleep(nanoseconds: Self.watchInterval)
        }
    }

    /// Number of records that are run again in a second or two. A canceled job ends at once, so it leaves the
    /// answers of more records to its next run; they are in the cache.
    static let mostAddedAtCancel = 20_000

    /// Nanoseconds between two looks.
    static let watchInterval: UInt64 = 250_000_000

    /// Records that all runs of a job have read and rejected.
    func progress(_ job: Job, in store: String) throws(ETLError) -> BudgetBaseline {
        let counts = try FindingCounter(try StoreFile.openForReading(store, waiting: lockWaitPolicy)).counts(
            of: job)
        return BudgetBaseline(
            records: job.counts.totalProcessed,
            rejects: Dictionary(counts.rejects.map { ($0.name, $0.count) }) { $1 })
    }

    /// Policy for a store that another program has locked: wait until the run is stopped.
    var lockWaitPolicy: LockWaitPolicy {
        LockWaitPolicy(clock: clock, stop: stop) { [observe] in observe(.locked($0)) }
    }

    func runner(_ flow: Flow, _ resources: RunResources) -> Runner {
        Runner(flow, clock: clock, retry: RetryPolicy(attempts: resources.plan.attempts))
    }

    // MARK: Corrected records

    /// Runs those corrected records of the job that are still rejected; nil if there are none.
    func replayCorrected(
        _ resources: RunResources, observing: @escaping @Sendable (RunEvent) -> Void = { _ in }
    ) async throws(ETLError) -> RunReport? {
        guard try await resources.store.startCorrections() else { return nil }
        return await runner(try correctedFlow(resources, onlyRejected: true), resources).run(
            stop: resources.dependencies.stop, observing: observing)
    }

    /// The job's flow, with its corrected records instead of its files.
    func correctedFlow(
        _ resources: RunResources, onlyRejected: Bool, observing observe: ComposeResults.Observer? = nil
    ) throws(ETLError) -> Flow {
        var flow = try resources.flow(observing: observe).withoutCopies
        // Batches are as large as those of the pipeline's own source.
        var reading = resources.request.reading
        reading.batchLimits = flow.source.batchLimits
        flow.sourceName = "ReadCorrected"
        flow.source = ReadCorrected(store: resources.store, reading: reading, onlyRejected: onlyRejected)
        return reshape(flow)
    }
}
