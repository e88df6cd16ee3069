package import Database
package import Formats
package import Pipeline
import Queries
package import Store
package import System

/// An import into a store that exists only while it is used. Nothing else is written, and no service is asked.
package struct TemporaryImport: Sendable {
    private var request: ImportRequest

    /// - Parameters:
    ///   - reading: The files and how they are read.
    ///   - definition: A definition that ends in a store.
    ///   - catalogs: Paths of catalogs to look books up in.
    package init(_ reading: ReadSettings, _ definition: PipelineDefinition, catalogs: [String] = []) {
        // The path follows when the import runs.
        request = ImportRequest(reading: reading, storePath: "", freshName: "once", definition: definition)
        request.catalogPaths = catalogs
        if catalogs.isEmpty { request.providers = [] }
        request.isOffline = true
        // The store is temporary, so nothing is kept for later jobs.
        request.isDryRun = true
    }

    /// An import as it was requested, which may ask services. Its store is a temporary one.
    package init(_ request: ImportRequest) {
        self.request = request
        self.request.isDryRun = true
    }

    /// Imports the files, and passes the store, opened for reading, and the job to `use`.
    ///
    /// - Throws: Errors of the import, thrown or as its outcome, and of `use`.
    package func run<Result>(
        stop: StopSignal = StopSignal(),
        observing observe: @escaping @Sendable (ImportEvent) -> Void = { _ in },
        _ use: (Connection, Job) throws(ETLError) -> Result
    ) async throws(ETLError) -> Result {
        let parent = Folder.temporary
        ScratchFolder.removeAbandoned(in: parent)
        let folder = try ScratchFolder(in: parent, advice: "Set TMPDIR to another folder.")
        return try await run(in: folder.path, stop: stop, observing: observe) {
            store, outcome throws(ETLError) in
            guard outcome.end == .completed else {
                throw ETLError(.temporary, "The import was stopped.")
            }
            return try use(store, outcome.job)
        }
    }

    /// The same in a folder of the caller, whether the import came to its end or was stopped.
    package func run<Result>(
        in folder: String, clock: any RunClock = SystemClock(), stop: StopSignal,
        observing observe: @escaping @Sendable (ImportEvent) -> Void = { _ in },
        _ use: (Connection, ImportOutcome) throws(ETLError) -> Result
    ) async throws(ETLError) -> Result {
        var request = request
        request.storePath = "\(folder)/store.sqlite"
        let outcome = try await ImportJob(request, clock: clock, stop: stop, observing: observe).run()
        if let failure = outcome.end.failure { throw failure }
        return try use(try StoreFile.openForReading(request.storePath), outcome)
    }
}
