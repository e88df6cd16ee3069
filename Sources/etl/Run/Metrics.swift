import Stages

/// A Prometheus text file of a run's figures, for node_exporter's textfile collector.
enum Metrics {
    static func write(_ summary: JobSummary, to path: String) throws(CommandFailure) {
        let counts = summary.counts
        var text = ""
        func gauge(_ name: String, _ help: String, _ values: [(labels: String, value: String)]) {
            text += "# HELP etl_\(name) \(help)\n# TYPE etl_\(name) gauge\n"
            for (labels, value) in values { text += "etl_\(name)\(labels) \(value)\n" }
        }
        gauge(
            "records", "Records of the last run by fate.",
            [
                ("{fate=\"created\"}", "\(counts.booksCreated)"),
                ("{fate=\"updated\"}", "\(counts.booksUpdated)"),
                ("{fate=\"duplicate\"}", "\(counts.duplicatesSkipped)"),
                ("{fate=\"rejected\"}", "\(counts.rejected)"),
            ])
        gauge("duration_seconds", "Duration of the last run.", [("", "\(Double(summary.duration) / 1_000)")])
        gauge(
            "last_success", "Whether the last run completed: 1 or 0.",
            [("", summary.state == .completed ? "1" : "0")])
        gauge("peak_memory_bytes", "Most memory held resident.", [("", "\(summary.peakMemoryBytes)")])
        try OutputFile(path: path, option: "--metrics").replace(with: text)
    }
}
