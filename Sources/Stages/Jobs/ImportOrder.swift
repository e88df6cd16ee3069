package import Pipeline

/// All that an import is told.
package struct ImportOrder: Sendable {
    package var reading: ReadSettings
    /// What the files are called to the user, where that is not their path: `-` for standard input.
    package var names: [String]
    package var storePath: String
    package var limits = ResultsStore.Limits()
    package var catalogPaths: [String] = []
    /// Services of the network; none unless the operator names them.
    package var services = ServiceSettings()
    /// Who is asked for books, by the names of the command line, in order of preference.
    package var providers = ["catalog", "openlibrary", "google-books", "isbndb"]
    package var library = "default"
    package var jobName: String?
    /// The name of a new job.
    package var freshName: String
    package var restarts = false
    package var replaces = false
    /// Take up the pending records of a completed job.
    package var takesUpPending = false
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
