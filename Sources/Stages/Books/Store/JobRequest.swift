package import Pipeline

/// What a job is started with.
package struct JobRequest: Sendable, Hashable {
    /// The name asked for; nil: a new one, or the unfinished job on the same input.
    package var name: String?
    /// The name a new job gets where none is asked for.
    package var freshName: String
    /// Name of the pipeline in messages to clients.
    package var pipeline: String
    /// Whose library the entries belong to.
    package var library: String
    /// The input format, where all files have one.
    package var profile: String?
    /// The files, in the order in which they are read. A job is known again by them.
    package var inputs: [SourceFingerprint]
    /// What it is begun with, to be gone on with.
    package var terms: JobOptions?
    /// Records of all files, where known.
    package var totalCount: Int?
    /// Newest date in the export, `yyyymmdd`: it tells an older export from a newer one.
    package var newestDate: Int64?
    /// Forget an unfinished job on the same input and begin anew.
    package var restarts = false
    /// Overwrite with an older export too.
    package var replaces = false
    /// Take up the pending records of a completed job.
    package var takesUpPending = false
    /// The job it was made to go on with; nil for a new one.
    package var goesOnWith: Int64?

    /// An order that neither restarts nor replaces anything.
    package init(
        name: String?, freshName: String, pipeline: String, library: String, profile: String?,
        inputs: [SourceFingerprint], terms: JobOptions? = nil, totalCount: Int? = nil,
        newestDate: Int64? = nil
    ) {
        self.name = name
        self.freshName = freshName
        self.pipeline = pipeline
        self.library = library
        self.profile = profile
        self.inputs = inputs
        self.terms = terms
        self.totalCount = totalCount
        self.newestDate = newestDate
    }
}
