package import Store
package import Syntax

/// The closing summary of a job: the output of `import`, `run`, `resume` and `enrich` with `--json`.
package struct JobSummary: Sendable, Hashable {
    package var jobId: String
    package var pipeline: JobPipeline
    package var state: JobState
    package var counts: JobCounts
    /// Milliseconds.
    package var duration: Int64
    /// When the results expire over HTTP, in milliseconds since 1970.
    package var expiresAt: Int64
    package var quality: QualityCounts
    /// Findings in the records: rejects, repairs and warnings.
    package var findings = FindingCounts()
    /// Records that wait for a service's answer.
    package var pending = 0
    /// Records that only wait for a run that applies a review decision.
    package var decided = 0
    /// When a service can be asked again that the job waits for, in milliseconds since 1970; nil if the job does
    /// not wait or the time is unknown.
    package var resumeAt: Int64?
    /// Entries that were joined to others, and groups of duplicates to look at; nil for a job that joins none.
    package var joined: Int?
    package var duplicatesToReview: Int?
    /// New entries of books that the library already had from other programs, by their format.
    package var fromOtherPrograms: [FindingCounts.Count] = []
    /// In the order of the pipeline.
    package var stages: [StageMetrics]
    /// The services that were asked.
    package var services: [ServiceCalls] = []
    /// The peak resident memory of the process, in bytes.
    package var peakMemoryBytes: Int64
    /// When the run ended, in milliseconds since 1970.
    package var endedAt: Int64 = 0

    package init(
        jobId: String, pipeline: JobPipeline, state: JobState, counts: JobCounts, duration: Int64,
        expiresAt: Int64, quality: QualityCounts, stages: [StageMetrics], peakMemoryBytes: Int64
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

extension JobSummary: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("jobId", jobId)
        out.field("pipeline", pipeline)
        out.field("status", state)
        counts.totals(into: &out)
        counts.bookCounts(into: &out)
        out.field("duration", duration)
        out.field("resourceId", ResultsView.resourceId(jobId: jobId))
        out.field("expiresAt", Timestamp.withoutFraction(expiresAt))
        findings.writeFields(into: &out)
        out.field("pending", pending)
        out.field("decided", decided)
        out.field("resumeAt", resumeAt.map(Timestamp.withoutFraction))
        out.field("joined", joined)
        out.field("duplicatesToReview", duplicatesToReview)
        if !fromOtherPrograms.isEmpty { fromOtherPrograms.write(as: "fromOtherPrograms", into: &out) }
        out.field("quality", quality)
        out.field("notLookedUp", quality.namesNotLookedUp)
        out.field("stages", stages)
        out.field("services", services)
        out.field("peakMemoryBytes", peakMemoryBytes)
    }
}

/// A stage's throughput, working time and waiting time.
package struct StageMetrics: Sendable, Hashable {
    /// Its name in the pipeline definition.
    package var name: String
    /// Number of records that came in and went out.
    package var recordsIn: Int
    package var recordsOut: Int
    /// Milliseconds spent working, waiting for input, and waiting for the next stage to take the output.
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

extension StageMetrics: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("name", name)
        out.field("in", recordsIn)
        out.field("out", recordsOut)
        out.field("busyMs", busyMs)
        out.field("blockedOnInputMs", blockedOnInputMs)
        out.field("blockedOnOutputMs", blockedOnOutputMs)
    }
}

/// The use of a service in a run, as the closing summary shows it.
package struct ServiceCalls: Sendable, Hashable {
    package var name: String
    /// Requests sent; each attempt counts.
    package var calls: Int
    /// Questions that were answered from the cache.
    package var hits: Int
    /// Questions by answer; those without one are unanswered.
    package var found: Int
    package var notFound: Int
    package var unanswered: Int
    /// Responses that said that requests come too fast.
    package var throttled: Int
    /// The 50th, 95th and 99th percentile of the response time, in milliseconds; nil without a response.
    package var p50: Double?
    package var p95: Double?
    package var p99: Double?
    /// Questions answered with an expired answer of the cache, because there was no new one.
    package var stale = 0
    /// Requests about expired answers that the service confirmed without sending them again.
    package var confirmed = 0
    /// Records that wait for it.
    package var pending = 0
    /// Failed requests by reason.
    package var failures: [Failure] = []
    /// When it can be asked again, in milliseconds since 1970; nil if it can be asked now.
    package var resumeAt: Int64?

    /// Requests that failed for the same reason.
    package struct Failure: Sendable, Hashable {
        package var reason: String
        package var calls: Int
        /// The status of the first of them; nil without a response.
        package var status: Int?
        /// More about the first of them.
        package var detail: String?

        /// A value of these parts.
        package init(reason: String, calls: Int, status: Int? = nil, detail: String? = nil) {
            self.reason = reason
            self.calls = calls
            self.status = status
            self.detail = detail
        }
    }

    package init(
        name: String, calls: Int, hits: Int, found: Int, notFound: Int, unanswered: Int, throttled: Int,
        p50: Double? = nil, p95: Double? = nil, p99: Double? = nil
    ) {
        self.name = name
        self.calls = calls
        self.hits = hits
        self.found = found
        self.notFound = notFound
        self.unanswered = unanswered
        self.throttled = throttled
        (self.p50, self.p95, self.p99) = (p50, p95, p99)
    }
}

extension ServiceCalls: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("name", name)
        out.field("calls", calls)
        out.field("hits", hits)
        out.field("found", found)
        out.field("notFound", notFound)
        out.field("unanswered", unanswered)
        out.field("throttled", throttled)
        out.field("p50Ms", p50)
        out.field("p95Ms", p95)
        out.field("p99Ms", p99)
        out.field("stale", stale)
        out.field("confirmed", confirmed)
        out.field("pending", pending)
        out.field("failures", failures)
        out.field("resumeAt", resumeAt.map(Timestamp.withoutFraction))
    }
}

extension ServiceCalls.Failure: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("reason", reason)
        out.field("calls", calls)
        out.field("status", status)
        out.field("detail", detail)
    }
}

extension JobCounts {
    /// The five counts that the import view and the closing summary share.
    package func bookCounts(into table: inout some FieldTable) {
        table.field("booksCreated", booksCreated)
        table.field("booksUpdated", booksUpdated)
        table.field("duplicatesSkipped", duplicatesSkipped)
        table.field("enrichmentSucceeded", enrichmentSucceeded)
        table.field("enrichmentFailed", enrichmentFailed)
    }

    /// The three counts that messages and the closing summary share.
    package func totals(into table: inout some FieldTable) {
        table.field("totalProcessed", totalProcessed)
        table.field("successCount", successCount)
        table.field("failureCount", failureCount)
    }
}
