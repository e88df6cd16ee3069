import Application
import Books
import Pipeline

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
                ("fate=\"created\"", "\(summary.counts.booksCreated)"),
                ("fate=\"updated\"", "\(summary.counts.booksUpdated)"),
                ("fate=\"duplicate\"", "\(summary.counts.duplicatesSkipped)"),
                ("fate=\"rejected\"", "\(summary.counts.rejected)"),
            ]
        }
        gauge("duration_seconds", "Duration of the last run.") { [(nil, "\(Double($0.duration) / 1_000)")] }
        gauge("last_success", "Whether the last run completed: 1 or 0.") {
            [(nil, $0.state == .completed ? "1" : "0")]
        }
        gauge("peak_memory_bytes", "Peak resident memory.") { [(nil, "\($0.peakMemoryBytes)")] }
        return text
    }
}
