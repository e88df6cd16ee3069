import Database
package import Jobs
package import Pipeline
package import Sources
package import System

/// Builds catalogs with the project's own definition and the options of a test.
package struct CatalogBuilder {
    package var output: String
    package var builtAt = "2026-11-20T12:00:00Z"
    package var updates = false
    package var stop = StopSignal()
    package var observe: @Sendable (CatalogBuildProgress) -> Void = { _ in }
    package var note: @Sendable (CatalogBuildWarning) -> Void = { _ in }
    package var reshape: @Sendable (Flow) -> Flow = { $0 }
    package var keysInMemory = KeySorter.maxWaiting
    private let definition: PipelineDefinition

    /// - Parameters:
    ///   - batchRecords: Lines per batch; small, so that tests have several.
    ///   - batchesPerCommit: Batches per transaction.
    package init(output: String, batchRecords: Int = 8_192, batchesPerCommit: Int = 4) throws {
        self.output = output
        definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/catalog_build.yaml"),
            named: "catalog_build.yaml",
            overrides: [
                DefinitionOverride(option: "source.settings.batch.records=\(batchRecords)"),
                DefinitionOverride(option: "sink.settings.commit.batches=\(batchesPerCommit)"),
            ])
    }

    /// The report of a build that was not stopped.
    @discardableResult
    package func build(from files: [String]) async throws(ETLError) -> CatalogBuildReport {
        guard let report = try await run(files).report else {
            throw ETLError(.temporary, "The build was stopped.")
        }
        return report
    }

    package func run(_ files: [String]) async throws(ETLError) -> CatalogOutcome {
        var request = CatalogBuildRequest(
            files: files, output: output, builtAt: builtAt, definition: definition)
        request.updates = updates
        request.keysInMemory = keysInMemory
        return try await CatalogBuild(
            request, stop: stop, reshaping: reshape, noting: note, observing: observe
        ).run()
    }
}
