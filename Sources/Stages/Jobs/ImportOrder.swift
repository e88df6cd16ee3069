package import Pipeline

/// All that an import is told.
package struct ImportOrder: Sendable {
    package var reading: ReadSettings
    /// What the files are called to the user, where that is not their path: `-` for standard input.
    package var names: [String]
    package var storePath: String
    package var limits = ResultsStore.Limits()
    package var catalogPaths: [String] = []
    package var library = "default"
    package var jobName: String?
    /// The name of a new job.
    package var freshName: String
    package var restarts = false
    package var replaces = false
    package var budget: ErrorBudget?
    package var definition: PipelineDefinition

    package init(
        reading: ReadSettings, storePath: String, freshName: String, definition: PipelineDefinition
    ) {
        self.reading = reading
        names = reading.files
        self.storePath = storePath
        self.freshName = freshName
        self.definition = definition
    }
}
