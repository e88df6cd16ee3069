package import Contract
package import Formats
package import Pipeline
import Services
package import Store
package import System

/// Outcome of an import.
package struct ImportOutcome: Sendable {
    /// The ways an import ends. There are more than for a run: another process can cancel a job, and
    /// everything can be done except for records that wait until a service has calls again.
    package enum End: Sendable, Hashable {
        case completed
        /// Everything is read and stored, but some records wait for services that have no calls left.
        case paused(JobPause)
        /// Stopped on request; it can be resumed.
        case stopped
        /// This many books of a refresh are left, because its budget is spent or a service has not answered. It
        /// can be continued.
        case unfinished(left: Int, isSpent: Bool)
        /// The job does not meet these expectations. It stays unfinished until it is accepted, or it was
        /// undone by another job.
        case violated([String], undoneBy: String?)
        /// Canceled by another process.
        case canceled
        case failed(ETLError)

        var state: JobState {
            switch self {
            case .completed, .paused: .completed
            // It is not an error: the job waits to be resumed.
            case .stopped, .unfinished, .violated: .processing
            case .canceled: .canceled
            case .failed: .failed
            }
        }

        /// Whether all records are read and stored.
        var isComplete: Bool {
            switch self {
            case .completed, .paused: true
            case .stopped, .unfinished, .violated, .canceled, .failed: false
            }
        }

        var failure: ETLError? { if case .failed(let failure) = self { failure } else { nil } }
    }

    /// The end of the run.
    package var end: End
    /// The job as the store has it now.
    package var job: Job
    /// Metrics of each stage in this run.
    package var report: RunReport
    /// The survey of the files.
    package var survey: LibrarySurvey
    /// Duration of this run in milliseconds.
    package var milliseconds: Int64
    /// Number of records that earlier runs of the job have read.
    package var earlier = 0
    /// Number of records that were pending when this run of the job began.
    package var waited = 0
    /// The counts of imported corrections; nil if none were imported.
    package var corrections: CorrectionCounts?
    /// The services that were asked.
    package var services: [ServiceReport] = []
    /// The records that wait for services, by service.
    package var waiting: [PendingRecords.Counts] = []

    /// Groups of duplicates that the user has to look at; nil if the job joins none, or is not complete.
    package var duplicatesToReview: Int?

    /// Whether the run settled nothing: all records that it read, or that were pending before, still wait for
    /// services.
    package var isAllPending: Bool {
        let open = job.pending - job.decided
        let readsNothing = earlier == job.counts.totalProcessed
        return open > 0 && open >= (readsNothing && waited > 0 ? waited : job.counts.successCount)
    }

    /// Reason why the job waits from now on; nil if it is completed, or ended in another way.
    package var pause: JobPause? {
        switch end {
        case .paused(let pause): return pause
        case .completed where isAllPending:
            let resumeAt = mayEndByItself ? services.compactMap(\.metrics.pausedUntil).min() : nil
            return JobPause(services: waiting.map(\.service), resumeAt: resumeAt)
        case .completed, .stopped, .unfinished, .violated, .canceled, .failed: return nil
        }
    }

    /// Whether some of the services may answer later although the user changes nothing.
    package var mayEndByItself: Bool {
        waiting.flatMap(\.reasons.keys).contains { LookupOutcome(name: $0)?.mayEndByItself ?? true }
    }
}

extension ImportOutcome {
    /// Stored metrics of the run; nil if it read nothing.
    var metrics: RunMetrics? {
        switch end {
        // The store may be what stopped the run, for example because another program has locked it.
        case .stopped, .canceled, .failed: return nil
        case .completed, .paused, .unfinished, .violated: break
        }
        guard report.recordsCommitted > 0 else { return nil }
        let services = services.map { service in
            let calls = service.calls(pending: 0)
            return RunMetrics.Service(
                name: calls.name, requests: calls.calls,
                failed: calls.failures.reduce(calls.throttled) { $0 + $1.calls }, cached: calls.hits,
                found: calls.found, notFound: calls.notFound, median: calls.p50)
        }
        return RunMetrics(report, services: services, duration: milliseconds)
    }

    /// The closing summary. The job's state is that of a job no process is running, as `etl status` shows it.
    package func summary(quality: QualityCounts, expiresAt: Int64, peakMemoryBytes: Int64) -> JobSummary {
        var summary = JobSummary(
            jobId: job.name, pipeline: job.contractPipeline, state: job.state,
            counts: job.counts, duration: milliseconds, expiresAt: expiresAt, quality: quality,
            stages: report.stages.map { stage in
                StageMetrics(
                    name: stage.name, recordsIn: stage.recordsIn, recordsOut: stage.recordsOut,
                    busyMs: Int64(stage.busy / 1_000_000),
                    blockedOnInputMs: Int64(stage.blockedOnInput / 1_000_000),
                    blockedOnOutputMs: Int64(stage.blockedOnOutput / 1_000_000))
            },
            peakMemoryBytes: peakMemoryBytes)
        summary.pending = job.pending - job.decided
        summary.decided = job.decided
        summary.resumeAt = job.pause?.resumeAt
        summary.joined = job.runState.joined
        summary.duplicatesToReview = duplicatesToReview
        let pending = Dictionary(waiting.map { ($0.service, $0.records) }) { first, _ in first }
        summary.services = services.map { $0.calls(pending: pending[$0.name] ?? 0) }
        return summary
    }
}

extension ServiceReport {
    /// The service's figures in the closing summary.
    ///
    /// - Parameter pending: Number of records that wait for it.
    func calls(pending: Int) -> ServiceCalls {
        var calls = ServiceCalls(
            name: name, calls: metrics.calls, hits: metrics.hits, found: metrics.outcomes[.found] ?? 0,
            notFound: metrics.outcomes[.notFound] ?? 0,
            unanswered: metrics.outcomes.filter { !$0.key.isAnswered }.values.reduce(0, +),
            throttled: metrics.throttled, p50: metrics.latencyMilliseconds(share: 0.5),
            p95: metrics.latencyMilliseconds(share: 0.95), p99: metrics.latencyMilliseconds(share: 0.99))
        calls.stale = metrics.stale
        calls.confirmed = metrics.confirmed
        calls.pending = pending
        calls.failures = metrics.failures.map { outcome, failed in
            ServiceCalls.Failure(
                reason: outcome.name, calls: failed.count, status: failed.first.status,
                detail: failed.first.detail)
        }
        calls.resumeAt = metrics.pausedUntil
        return calls
    }
}
