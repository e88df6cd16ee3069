import Formats
import Pipeline
import Store
import System

/// Corrected records of a job.
extension ImportRun {
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
