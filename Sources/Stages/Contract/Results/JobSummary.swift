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
    /// In the order of the pipeline.
    package var stages: [StageFigures]
    /// The most memory the process held resident, in bytes.
    package var peakMemoryBytes: Int64

    package init(
        jobId: String, pipeline: JobPipeline, state: JobState, counts: JobCounts, duration: Int64,
        expiresAt: Int64, quality: QualityTally, stages: [StageFigures], peakMemoryBytes: Int64
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

/// What a stage did and what it waited for.
package struct StageFigures: Sendable, Hashable {
    /// Its name in the pipeline file.
    package var name: String
    /// Records that came in and went out.
    package var recordsIn: Int
    package var recordsOut: Int
    /// Milliseconds at work, waiting for something to do, and waiting for the next stage to take it.
    package var busyMs: Int64
    package var blockedOnInputMs: Int64
    package var blockedOnOutputMs: Int64

    package init(
        name: String, recordsIn: Int, recordsOut: Int, busyMs: Int64, blockedOnInputMs: Int64,
        blockedOnOutputMs: Int64
    ) {
        self.name = name
        self.recordsIn = recordsIn
        self.recordsOut = recordsOut
        self.busyMs = busyMs
        self.blockedOnInputMs = blockedOnInputMs
        self.blockedOnOutputMs = blockedOnOutputMs
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
            out.field("quality", quality)
            out.field("stages", stages)
            out.field("peakMemoryBytes", peakMemoryBytes)
        }
    }
}

extension StageFigures: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("in", recordsIn)
            out.field("out", recordsOut)
            out.field("busyMs", busyMs)
            out.field("blockedOnInputMs", blockedOnInputMs)
            out.field("blockedOnOutputMs", blockedOnOutputMs)
        }
    }
}
