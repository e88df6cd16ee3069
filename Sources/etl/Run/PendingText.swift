import Application
import Books
import Services

/// One sentence for each service that left records open: `openlibrary could not be reached: 98 records wait
/// for it.`
enum PendingText {
    /// - Parameter services: The run's services, for details.
    static func of(_ reasons: [PendingRecords.Reason], services: [ServiceReport] = []) -> [String] {
        let metrics = Dictionary(services.map { ($0.name, $0.metrics) }) { first, _ in first }
        // Records decided in a review wait for the next run, not for a service.
        let reasons = reasons.filter { $0.service != Reviews.pendingService }
        return Dictionary(grouping: reasons, by: \.service).sorted { $0.key < $1.key }.map {
            service, reasons in
            // Of several reasons the most frequent one is reported. `skipped` counts least, because it is not
            // a cause.
            let worst = reasons.max {
                (isCause($0) ? 1 : 0, $0.count) < (isCause($1) ? 1 : 0, $1.count)
            }
            let records = HumanText.count(reasons.reduce(0) { $0 + $1.count }, "record")
            let what = worst.flatMap { words($0, metrics[service], of: service) } ?? "was not asked"
            return "\(service) \(what): \(records) wait\(records.hasPrefix("1 ") ? "s" : "") for it."
        }
    }

    /// The text for a service that is down. It may be paused, so that it was not asked at all, or answer with
    /// errors.
    static func down(_ metrics: ServiceMetrics?, of service: String) -> String {
        if let error = metrics?.error { return self.error(error, of: service) }
        guard let metrics, metrics.calls == 0, let until = metrics.suspendedUntil else {
            return "could not be reached"
        }
        return
            "was not asked (it failed too often and is paused until \(Timestamp.withoutFraction(until)))"
    }

    /// The text for a service that answers with errors: `answered 404 Not Found at https://books.test/api`.
    private static func error(_ error: ServiceError, of service: String) -> String {
        guard error.status != 200 else { return "refused what it was asked at \(error.address)" }
        let status = [String(error.status), reasonPhrases[error.status]].compactMap { $0 }
        let what = "answered \(status.joined(separator: " ")) at \(error.address)"
        let isDefault = ServiceDefinition.all.contains {
            $0.name == service && error.address.hasPrefix("\($0.address)/")
        }
        return isDefault ? what : "\(what) (check \(ServiceSetup.variable(service, "URL")))"
    }

    /// The names of the statuses that are reported (RFC 9110, 15).
    private static let reasonPhrases = [
        400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 410: "Gone",
        413: "Content Too Large", 414: "URI Too Long", 422: "Unprocessable Content", 501: "Not Implemented",
    ]

    /// The text for a service that rejected the user's credentials.
    static func blocked(_ service: String) -> String {
        let hasKey = ServiceDefinition.all.contains { $0.name == service && $0.access.hasKey }
        let variables = (hasKey ? [ServiceSetup.variable(service, "KEY")] : []) + [ServiceSetup.contact]
        return "rejected your credentials (check \(variables.joined(separator: " and ")))"
    }

    /// The text for a service that rejects requests for now, because there were too many or it is overloaded.
    static func rateLimited(_ metrics: ServiceMetrics?) -> String {
        guard let metrics, let until = metrics.throttledUntil.map({ Timestamp.withoutFraction($0) }) else {
            return "rejected requests as too frequent"
        }
        return metrics.calls > 0
            ? "rejected requests for now (paused until \(until))"
            : "was not asked (it rejected requests and is paused until \(until))"
    }

    private static func isCause(_ reason: PendingRecords.Reason) -> Bool {
        words(reason, nil, of: reason.service) != nil
    }

    private static func words(
        _ reason: PendingRecords.Reason, _ metrics: ServiceMetrics?, of service: String
    ) -> String? {
        switch LookupOutcome.allCases.first(where: { $0.name == reason.outcome }) {
        case .down: down(metrics, of: service)
        case .timeout: "did not answer in time"
        case .blocked: blocked(service)
        case .quota: "has no requests left today"
        case .rateLimited: rateLimited(metrics)
        case .malformed: "returned unusable responses"
        default: nil
        }
    }
}

/// The services that a run waits for, for the progress line: `openlibrary (34 answers, paused until
/// 12:04:31Z)`.
enum WaitingText {
    /// The services, the longest wait first; nil if there are none.
    static func of(_ services: [ServiceStatus]) -> String? {
        guard !services.isEmpty else { return nil }
        return services.sorted { ($1.secondsLeft, $0.service) < ($0.secondsLeft, $1.service) }
            .map { service in
                var words = HumanText.count(service.open, "answer")
                if let until = service.pausedUntil {
                    words += ", paused until \(Timestamp.withoutFraction(until).dropFirst(11))"
                } else if service.secondsLeft >= 1 {
                    words += ", \(HumanText.duration(seconds: service.secondsLeft))"
                }
                return "\(service.service) (\(words))"
            }
            .joined(separator: ", ")
    }
}
