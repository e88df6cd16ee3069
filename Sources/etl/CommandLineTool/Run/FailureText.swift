import Contract
import Services
import Sources
import System

/// Why a service did not answer, as the rest of a sentence that begins with its name: `could not be reached
/// (could not resolve host name)`.
enum FailureText {
    /// - Parameter metrics: Metrics of this run; nil if the outcome is from an earlier one.
    static func of(_ outcome: LookupOutcome, of service: String, _ metrics: ServiceMetrics? = nil) -> String {
        let error = metrics?.failed[outcome]?.first
        let detail = error?.detail.map { " (\($0))" } ?? ""
        let place = error.map { " at \($0.address)" } ?? ""
        switch outcome {
        case .found, .notFound, .ambiguous, .mismatch: return "answered"
        case .malformed: return "returned unusable responses"
        case .rateLimited: return rateLimited(metrics)
        case .quota:
            let when = metrics?.resumeAt.map { " until \(Timestamp.withoutFraction($0))" } ?? " today"
            return "has no requests left\(when)"
        case .blocked: return blocked(service)
        case .timeout: return "did not answer in time"
        case .down:
            let until = metrics?.suspendedUntil.map {
                " and is paused until \(Timestamp.withoutFraction($0))"
            }
            return "was not asked (it failed too often\(until ?? ""))"
        case .skipped:
            return "was not asked"
                + (metrics?.limiterFailure.map { " (rate limits are unknown: \($0))" } ?? "")
        case .unreachable: return "could not be reached\(detail)"
        case .connectionRefused: return "refused the connection\(place)\(advice(error, service))"
        case .insecure: return "could not be reached securely\(detail)"
        case .redirectLoop: return "redirected too many times\(place)\(advice(error, service))"
        case .redirectRefused: return "redirected to an address that is not allowed"
        case .serverError: return "answered with an error\(status(error))"
        case .requestRejected:
            guard let error, error.status != 200 else {
                return "rejected what it was asked\(place)\(advice(error, service))"
            }
            return "rejected what it was asked\(status(error))\(place)\(advice(error, service))"
        case .webPage:
            return "returned a web page instead of data (is there a login page or a proxy in between?)"
        case .tooLarge: return "sent a response that is too long"
        case .cutOff: return "closed the connection during its response"
        case .queued: return "has not answered yet"
        case .stopped: return "had not answered when the run was stopped"
        }
    }

    /// ` (503 Service Unavailable)`
    private static func status(_ error: ServiceError?) -> String {
        guard let status = error?.status else { return "" }
        return " (\([String(status), reasonPhrases[status]].compactMap { $0 }.joined(separator: " ")))"
    }

    /// Things to check if the user configured the address.
    private static func advice(_ error: ServiceError?, _ service: String) -> String {
        guard let error else { return "" }
        let isDefault = ServiceDefinition.all.contains {
            $0.name == service && (error.address + "/").hasPrefix("\($0.address)/")
        }
        return isDefault ? "" : " (check \(ServiceSetup.variable(service, "URL")))"
    }

    /// The names of the statuses that are reported (RFC 9110, 15).
    private static let reasonPhrases = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 410: "Gone",
        413: "Content Too Large", 414: "URI Too Long", 422: "Unprocessable Content",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout",
    ]

    /// The text for a service that rejected the user's credentials.
    private static func blocked(_ service: String) -> String {
        let hasKey = ServiceDefinition.all.contains { $0.name == service && $0.access.hasKey }
        let variables = (hasKey ? [ServiceSetup.variable(service, "KEY")] : []) + [ServiceSetup.contact]
        return "rejected your credentials (check \(variables.joined(separator: " and ")))"
    }

    /// The text for a service that rejects requests for now, because there were too many or it is overloaded.
    private static func rateLimited(_ metrics: ServiceMetrics?) -> String {
        guard let metrics, let until = metrics.throttledUntil.map({ Timestamp.withoutFraction($0) }) else {
            return "rejected requests as too frequent"
        }
        return metrics.calls > 0
            ? "rejected requests for now (paused until \(until))"
            : "was not asked (it rejected requests and is paused until \(until))"
    }
}
