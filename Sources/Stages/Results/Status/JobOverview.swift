import Pipeline

/// A job as `etl jobs` and `etl status` show it: what the contract says of a job's status, and what people ask next.
package struct JobOverview: Sendable, Hashable {
    package var job: Job
    /// Whether a process is at work on the store at this moment.
    package var isStoreBusy: Bool

    package init(_ job: Job, isStoreBusy: Bool) {
        self.job = job
        self.isStoreBusy = isStoreBusy
    }

    /// The status as clients read it.
    package var status: JobStatusDTO {
        JobStatusDTO(
            jobId: job.name, pipeline: job.contractPipeline, state: job.status,
            progress: JobProgress(
                processedCount: job.counts.totalProcessed, totalCount: job.totalCount ?? job.counts.totalProcessed))
    }

    /// Whether it was left before its end, by a signal or a crash, and waits for `etl resume`. A job that is
    /// `processing` in a store where nobody is at work is one of these.
    package var isInterrupted: Bool {
        switch job.status {
        case .initialized, .processing: !isStoreBusy
        case .failed: true
        case .completed, .canceled: false
        }
    }
}

/// The contract's fields first, then ours.
extension JobOverview: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            status.writeFields(into: &out)
            out.field("library", job.library)
            out.field("profile", job.profile)
            out.field("files", job.inputs.map(\.name))
            out.field("interrupted", isInterrupted)
            out.field("startedAt", Timestamp.withoutFraction(job.startedAt))
            out.field("updatedAt", Timestamp.withoutFraction(job.updatedAt))
            out.field("endedAt", job.endedAt.map(Timestamp.withoutFraction))
            job.counts.writeTotals(into: &out)
            job.counts.writeBookCounts(into: &out)
            out.field("duration", job.busyMilliseconds)
            out.field("failure", job.failure)
        }
    }
}
