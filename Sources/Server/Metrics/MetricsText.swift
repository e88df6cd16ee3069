/// The text format of Prometheus.
package struct MetricsText {
    /// A value that goes up and down.
    package struct Gauge {
        package var name: String
        package var help: String
        package var value: Int

        package init(_ name: String, _ help: String, _ value: Int) {
            self.name = name
            self.help = help
            self.value = value
        }
    }

    private var text = ""

    /// The metrics so far, and current measurements.
    package static func of(_ metrics: ServerMetrics, _ levels: [Gauge]) -> String {
        var text = MetricsText()
        let snapshot = metrics.snapshot
        text.head(
            "http_requests_total", "Requests by route and status; status 0 is a broken connection.", "counter"
        )
        for (route, of) in snapshot.routes.sorted(by: { $0.key < $1.key }) {
            for (status, count) in of.counts.sorted(by: { $0.key < $1.key }) {
                text.line("http_requests_total", ["route": route, "status": "\(status)"], "\(count)")
            }
        }
        text.head(
            "http_request_duration_seconds", "Time from a request's head to the end of its response.",
            "histogram")
        for (route, of) in snapshot.routes.sorted(by: { $0.key < $1.key }) { text.histogram(of, route) }
        text.counters("jobs_total", "Jobs by their end.", "end", snapshot.jobs)
        text.counters("records_total", "Records of jobs by outcome.", "outcome", snapshot.records)
        text.counters(
            "service_requests_total", "Requests to services.", "service", snapshot.services.mapValues(\.calls)
        )
        text.counters(
            "service_cached_total", "Answers of services from the cache.", "service",
            snapshot.services.mapValues(\.hits))
        text.counters(
            "service_throttled_total", "Requests that services have throttled.", "service",
            snapshot.services.mapValues(\.throttled))
        text.counters(
            "searches_total", "Searches; the answer of a hit was in memory.", "cache", snapshot.searches)
        for gauge in levels {
            text.head(gauge.name, gauge.help, "gauge")
            text.line(gauge.name, [:], "\(gauge.value)")
        }
        return text.text
    }

    private mutating func head(_ name: String, _ help: String, _ type: String) {
        text += "# HELP etl_\(name) \(help)\n# TYPE etl_\(name) \(type)\n"
    }

    private mutating func line(_ name: String, _ labels: [String: String], _ value: String) {
        let words = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }.joined(
            separator: ",")
        text += "etl_\(name)\(words.isEmpty ? "" : "{\(words)}") \(value)\n"
    }

    private mutating func counters(_ name: String, _ help: String, _ label: String, _ counts: [String: Int]) {
        head(name, help, "counter")
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) { line(name, [label: key], "\(count)") }
    }

    private mutating func histogram(_ metrics: ServerMetrics.RouteMetrics, _ route: String) {
        let name = "http_request_duration_seconds"
        var count = 0
        for (bound, added) in zip(ServerMetrics.bounds, metrics.buckets) {
            count += added
            line("\(name)_bucket", ["route": route, "le": "\(Double(bound) / 1_000)"], "\(count)")
        }
        line("\(name)_bucket", ["route": route, "le": "+Inf"], "\(metrics.total)")
        line("\(name)_sum", ["route": route], "\(Double(metrics.nanoseconds) / 1e9)")
        line("\(name)_count", ["route": route], "\(metrics.total)")
    }
}
