package import Pipeline

/// All that an import is told.
package struct ImportOrder: Sendable {
    /// What is read, and how.
    package var reading: ReadSettings
    /// What the files are called to the user, where that is not their path: `-` for standard input.
    package var names: [String]
    /// The results store, which is made where there is none.
    package var storePath: String
    /// Bounds of the memory that writing takes.
    package var limits = ResultsStore.Limits()
    /// Catalogs to ask, in order of preference; none is allowed.
    package var catalogPaths: [String] = []
    /// Whose library the entries belong to.
    package var library = "default"
    /// The job asked for: an unfinished one of that name goes on. Nil leaves the choice to the store.
    package var jobName: String?
    /// The name of a new job.
    package var freshName: String
    /// Forget an unfinished job on the same input and begin anew.
    package var restarts = false
    /// Overwrite with an older export too.
    package var replaces = false
    /// Whether all is done but nothing kept: the run works on a copy of the store.
    package var isDryRun = false
    /// How many rejects end the run, in all or for a reason; nil: however many there are.
    package var budgets: ErrorBudgets?
    /// The pipeline that is run.
    package var definition: PipelineDefinition

    /// An import into the default library, without catalogs and without an error budget.
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
