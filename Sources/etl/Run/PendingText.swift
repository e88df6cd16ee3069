import Application
import Books
import Services

/// Which services have left records open and why, a sentence each: `openlibrary could not be reached: 98 records wait
/// for it.`
enum PendingText {
    /// - Parameter services: What the run had to do with each, as far as it had.
    static func of(_ reasons: [PendingRecords.Reason], services: [ServiceReport] = []) -> [String] {
        let metrics = Dictionary(services.map { ($0.name, $0.metrics) }) { first, _ in first }
        // What a reader has decided waits for the next run, and for no service.
        let reasons = reasons.filter { $0.service != Reviews.pendingService }
        return Dictionary(grouping: reasons, by: \.service).sorted { $0.key < $1.key }.map {
            service, reasons in
            // Of several reasons the most frequent is told; what a later pass passed over says the least.
            let worst = reasons.max {
                (words($0, nil) == nil ? 0 : 1, $0.count) < (words($1, nil) == nil ? 0 : 1, $1.count)
            }
            let records = HumanText.count(reasons.reduce(0) { $0 + $1.count }, "record")
            let what = worst.flatMap { words($0, metrics[service]) } ?? "was not waited for"
            return "\(service) \(what): \(records) wait\(records.hasPrefix("1 ") ? "s" : "") for it."
        }
    }

    /// What is said of a service that is down: one that was not even asked is left alone until it is tried again.
    static func down(_ metrics: ServiceMetrics?) -> String {
        guard let metrics, metrics.calls == 0, let until = metrics.leftAloneUntil else {
            return "could not be reached"
        }
        return
            "was not asked (it failed too often and is left alone until \(Timestamp.withoutFraction(until)))"
    }

    private static func words(_ reason: PendingRecords.Reason, _ metrics: ServiceMetrics?) -> String? {
        switch LookupOutcome.allCases.first(where: { $0.name == reason.outcome }) {
        case .down: down(metrics)
        case .timeout: "did not answer in time"
        case .blocked: "does not let us in (check its key and ETL_CONTACT)"
        case .quota: "has no calls left today"
        case .rateLimited: "throttled us (it was asked too often)"
        case .malformed: "gave answers that are none"
        default: nil
        }
    }
}

/// Whom a run waits for, in the words of its progress line: `openlibrary (34 answers, paused until 12:04:31Z)`.
enum WaitingText {
    /// nil where it waits for nobody. The longest wait comes first.
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
