package import Books
package import Syntax

/// The closing summary of a job, `--json` of import, run, resume and enrich (cli.md, "The closing summary").
package struct JobSummary: Sendable, Hashable {
    package var jobId: String
    package var pipeline: JobPipeline
    package var state: JobState
    package var counts: JobCounts
    /// Milliseconds.
    package var duration: Int64
    /// When the results expire over HTTP, in milliseconds since 1970.
    package var expiresAt: Int64
    package var quality: QualityTally
    /// What was found in the records, by reason and rule.
    package var findings = FindingCounts()
    /// Records that wait for a service's answer.
    package var pending = 0
    /// Records that wait for nothing but a run that takes up what a reader has decided.
    package var decided = 0
    /// In the order of the pipeline.
    package var stages: [StageMetrics]
    /// The services that were asked, in their order.
    package var services: [ServiceCalls] = []
    /// The most memory the process held resident, in bytes.
    package var peakMemoryBytes: Int64

    package init(
        jobId: String, pipeline: JobPipeline, state: JobState, counts: JobCounts, duration: Int64,
        expiresAt: Int64, quality: QualityTally, stages: [StageMetrics], peakMemoryBytes: Int64
    ) {
        self.jobId = jobId
        self.pipeline = pipeline
        self.state = state
        self.counts = counts
        self.duration = duration
        self.expiresAt = expiresAt
        self.quality = quality
        self.stages = stages
        self.peakMemoryBytes = peakMemoryBytes
    }
}

extension JobSummary: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("jobId", jobId)
            out.field("pipeline", pipeline)
            out.field("status", state)
            counts.writeTotals(into: &out)
            counts.writeBookCounts(into: &out)
            out.field("duration", duration)
            out.field("resourceId", ResultsView.resourceId(jobId: jobId))
            out.field("expiresAt", Timestamp.withoutFraction(expiresAt))
            findings.writeFields(into: &out)
            out.field("pending", pending)
            out.field("decided", decided)
            out.field("quality", quality)
            out.field("stages", stages)
            out.field("services", services)
            out.field("peakMemoryBytes", peakMemoryBytes)
        }
    }
}
