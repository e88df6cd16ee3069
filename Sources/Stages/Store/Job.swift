package import Pipeline

/// A run as the store knows it.
package struct Job: Sendable, Hashable {
    /// How known entries are treated.
    package enum Mode: String, Sendable, Hashable {
        /// The newest export of its library: entries are brought up to date.
        case update
        /// An export older than one imported before: gaps are filled, nothing is overwritten.
        case fill
    }

    package var id: Int64
    /// The public job id.
    package var name: String
    package var pipeline: String
    package var library: String
    package var profile: String?
    package var mode: Mode
    package var status: JobState
    package var inputs: [SourceFingerprint]
    /// Newest date in the export, `yyyymmdd`.
    package var newestDate: Int64?
    /// Epoch milliseconds.
    package var startedAt: Int64
    package var updatedAt: Int64
    package var endedAt: Int64?
    /// Records of the input, where known.
    package var totalCount: Int?
    /// Where the next batch begins: the end of the last one committed.
    package var checkpoint: Position
    /// Digest of the input's bytes before the checkpoint.
    package var tailDigest: Int64?
    package var counts: JobCounts
    /// Records with a valid ISBN, and those of them that a provider matched.
    package var recordsWithISBN: Int
    package var recordsMatched: Int
    /// Milliseconds at work, over all its runs.
    package var busyMilliseconds: Int64
    /// What ended it, where it failed.
    package var failure: String?
    /// The closing summary, as JSON, once it has ended.
    package var summary: String?
    /// Records that a service has not answered yet.
    package var pending = 0

    /// Share of the records that are done, 0–1.
    package var progress: Double {
        if status == .completed { return 1 }
        guard let totalCount, totalCount > 0 else { return 0 }
        return min(1, Double(counts.totalProcessed) / Double(totalCount))
    }

    /// Whether it can go on from its checkpoint.
    package var isUnfinished: Bool { status != .completed }
}

/// What a job is started with.
package struct JobOrder: Sendable, Hashable {
    /// The name asked for; nil: a new one, or the unfinished job on the same input.
    package var name: String?
    /// The name a new job gets where none is asked for.
    package var freshName: String
    package var pipeline: String
    package var library: String
    package var profile: String?
    package var inputs: [SourceFingerprint]
    package var definition: String?
    package var totalCount: Int?
    package var newestDate: Int64?
    /// Forget an unfinished job on the same input and begin anew.
    package var restarts = false
    /// Overwrite with an older export too.
    package var replaces = false
    /// Take up the pending records of a completed job.
    package var takesUpPending = false

    package init(
        name: String?, freshName: String, pipeline: String, library: String, profile: String?,
        inputs: [SourceFingerprint], definition: String? = nil, totalCount: Int? = nil,
        newestDate: Int64? = nil
    ) {
        self.name = name
        self.freshName = freshName
        self.pipeline = pipeline
        self.library = library
        self.profile = profile
        self.inputs = inputs
        self.definition = definition
        self.totalCount = totalCount
        self.newestDate = newestDate
    }
}

extension Job {
    /// How it stands, in the contract's words.
    package var statusDTO: JobStatusDTO {
        JobStatusDTO(
            jobId: name, pipeline: JobPipeline(rawValue: pipeline) ?? .csvImport, state: status,
            progress: JobProgress(processedCount: counts.totalProcessed, totalCount: totalCount ?? 0))
    }
}
