import Contract
import Store
import System

/// The figures of a run as a Prometheus text file, for node_exporter's textfile collector.
final class Metrics: Sendable {
    private let file: OutputFile
    private let namesJobs: Bool
    private let summaries = Guarded<[JobSummary]>([])

    /// - Parameter namesJobs: Whether each figure is labelled with its job. A run over several jobs needs
    ///   this.
    init(_ file: OutputFile, namesJobs: Bool) {
        self.file = file
        self.namesJobs = namesJobs
    }

    /// Writes the file again, with the figures of this job and of the jobs before it.
    func add(_ summary: JobSummary) throws(CommandFailure) {
        let all = summaries.withLock { summaries in
            summaries.append(summary)
            return summaries
        }
        try file.replace(with: text(of: all))
    }

    private func text(of summaries: [JobSummary]) -> String {
        var text = ""
        func gauge(
            _ name: String, _ help: String, _ values: (JobSummary) -> [(label: String?, value: String)]
        ) {
            text += "# HELP etl_\(name) \(help)\n# TYPE etl_\(name) gauge\n"
            for summary in summaries {
                // A job's name needs no escaping: it has only letters, digits, `.`, `_` and `-`.
                let job = namesJobs ? "job_id=\"\(summary.jobId)\"" : nil
                for (label, value) in values(summary) {
                    let labels = [job, label].compactMap { $0 }.joined(separator: ",")
                    text += "etl_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
                }
            }
        }
        gauge("records", "Records of the last run by outcome.") { summary in
            [
                ("outcome=\"created\"", "\(summary.counts.booksCreated)"),
                ("outcome=\"updated\"", "\(summary.counts.booksUpdated)"),
                ("outcome=\"duplicate\"", "\(summary.counts.duplicatesSkipped)"),
                ("outcome=\"rejected\"", "\(summary.counts.rejected)"),
            ]
        }
        gauge("duration_seconds", "Duration of the last run.") { [(nil, "\(Double($0.duration) / 1_000)")] }
        gauge("last_success", "Whether the last run completed: 1 or 0.") {
            [(nil, $0.state == .completed ? "1" : "0")]
        }
        gauge("last_run_timestamp_seconds", "When the last run ended, in seconds since 1970.") {
            [(nil, "\(Double($0.endedAt) / 1_000)")]
        }
        gauge("pending_records", "Records that wait for a service.") { [(nil, "\($0.pending)")] }
        gauge("stage_records", "Records of the last run that went into and out of a stage.") { summary in
            summary.stages.flatMap { stage in
                [
                    ("stage=\"\(stage.name)\",direction=\"in\"", "\(stage.recordsIn)"),
                    ("stage=\"\(stage.name)\",direction=\"out\"", "\(stage.recordsOut)"),
                ]
            }
        }
        gauge("stage_busy_seconds", "Working time of a stage in the last run, over all its workers.") {
            summary in
            summary.stages.map { ("stage=\"\($0.name)\"", "\(Double($0.busyMs) / 1_000)") }
        }
        gauge("service_requests", "Requests to a service in the last run; every attempt counts.") { summary in
            summary.services.map { ("service=\"\($0.name)\"", "\($0.calls)") }
        }
        gauge("service_answers", "Questions to a service in the last run by outcome.") { summary in
            summary.services.flatMap { service in
                [
                    ("found", service.found), ("not_found", service.notFound),
                    ("unanswered", service.unanswered),
                    ("cached", service.hits),
                ].map { ("service=\"\(service.name)\",outcome=\"\($0.0)\"", "\($0.1)") }
            }
        }
        gauge("service_failures", "Failed requests to a service in the last run by reason.") { summary in
            summary.services.flatMap { service in
                service.failures.map {
                    ("service=\"\(service.name)\",reason=\"\($0.reason)\"", "\($0.calls)")
                }
            }
        }
        gauge("peak_memory_bytes", "Peak resident memory.") { [(nil, "\($0.peakMemoryBytes)")] }
        return text
    }
}
