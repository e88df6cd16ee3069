package import Formats
package import Pipeline
import Sources
package import Store
import System

/// An import by the stages alone, without providers, into a store that the test can access.
package struct OfflineImport {
    package let store: ResultsStore
    private let reading: ReadSettings

    /// Begins the job for a file in a new store.
    package init(_ reading: ReadSettings, into path: String) async throws {
        self.reading = reading
        let known = try StoreFile.openIfStarted(path).flatMap { try JobTable($0).job(named: "j") }
        store = try ResultsStore(path, clock: ManualClock())
        let survey = try await ReadLibrary(reading).surveyLibrary()
        var request = JobRequest(
            name: "j", freshName: "j", pipeline: "csv_import", library: "default", formatName: "goodreads",
            inputs: survey.source.fingerprints)
        request.continues = known?.id
        _ = try await store.begin(request)
    }

    /// Runs the job to the end of its file without completing it.
    ///
    /// - Parameter steps: Stages between the last one and the sink.
    package func run(batchesPerCommit: Int, through stages: [Flow.StageRun] = []) async throws {
        let flow = Flow(
            sourceName: "ReadLibrary", source: ReadLibrary(reading),
            stages: [
                .init(name: "ValidateISBN", stage: ValidateISBN()),
                .init(name: "LookUpBooks", stage: LookUpBooks(providers: [])),
                .init(name: "MergeCandidates", stage: MergeCandidates()),
                .init(name: "NormalizeGenres", stage: NormalizeGenres()),
                .init(name: "EnrichAuthors", stage: EnrichAuthors(directory: CompositePersonDirectory([]))),
                .init(
                    name: "ComposeResults",
                    stage: ComposeResults(library: "default", numbers: store.numbers)),
            ] + stages,
            sinkName: "WriteResults",
            sink: WriteResults(store: store, batchesPerCommit: batchesPerCommit, stop: StopSignal()))
        let report = await Runner(flow, clock: ManualClock()).run()
        if case .failed(let failure) = report.outcome { throw failure }
    }
}
