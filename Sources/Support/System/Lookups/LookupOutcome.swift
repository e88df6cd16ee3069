/// Outcome of the lookup of one key, as used in reports. Raw values are stored.
package enum LookupOutcome: UInt8, Sendable, CaseIterable, Hashable {
    case found = 1
    case notFound
    /// No candidate fits well enough, or more than one does, so none is taken.
    case ambiguous
    /// The record is damaged, or the response was unusable or about something other than the key.
    case malformed
    /// Too many requests.
    case rateLimited
    /// The daily budget of requests is spent.
    case quota
    /// Our credentials were rejected: a wrong key, or no contact in the User-Agent.
    case blocked
    /// The service did not answer a request in time.
    case timeout
    /// Not asked, because the service failed too often before this run.
    case down
    /// Not asked: the batch failed because of other keys, or the shared rate limits are not accessible.
    case skipped
    /// The service answered with something else every time, in several runs. It is not asked again soon.
    case mismatch
    /// The host's name cannot be resolved, or there is no route to it.
    case unreachable
    /// The host refused the connection.
    case connectionRefused
    /// TLS failed, for example because of the certificate.
    case insecure
    /// The service redirected too many times.
    case redirectLoop
    /// The service redirected to an address that is not allowed.
    case redirectRefused
    /// The service failed: status 5xx, or one that no service should send.
    case serverError
    /// The service rejected the request, whatever the keys: its address is wrong, or it has changed.
    case requestRejected
    /// A web page instead of data, as portals and proxies send it.
    case webPage
    /// The response was over the length limit.
    case tooLarge
    /// The connection was closed during the response.
    case cutOff
    /// The run did not wait for the answer. Its request waits for its turn, or is under way.
    case queued
    /// The run was stopped before the answer arrived.
    case stopped

    /// The name in outputs, `lower_snake_case`.
    package var name: String {
        switch self {
        case .found: "found"
        case .notFound: "not_found"
        case .ambiguous: "ambiguous"
        case .malformed: "malformed"
        case .rateLimited: "rate_limited"
        case .quota: "quota"
        case .blocked: "blocked"
        case .timeout: "timeout"
        case .down: "down"
        case .skipped: "skipped"
        case .mismatch: "wrong_book"
        case .unreachable: "unreachable"
        case .connectionRefused: "connection_refused"
        case .insecure: "insecure"
        case .redirectLoop: "redirect_loop"
        case .redirectRefused: "redirect_refused"
        case .serverError: "server_error"
        case .requestRejected: "request_rejected"
        case .webPage: "web_page"
        case .tooLarge: "too_large"
        case .cutOff: "cut_off"
        case .queued: "queued"
        case .stopped: "stopped"
        }
    }

    /// Finds an outcome by its ``name``. Returns nil for an unknown name.
    package init?(name: String) {
        guard let outcome = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = outcome
    }

    /// Whether the service works and the question only has to wait for its turn.
    package var isLikelyToEnd: Bool {
        switch self {
        case .skipped, .rateLimited, .queued, .stopped: true
        default: false
        }
    }

    /// Whether asking again in the same run may help, if the service answers other questions.
    package var isTransient: Bool {
        switch self {
        case .quota, .tooLarge, .stopped: false
        default: mayEndByItself && !isAnswered
        }
    }

    /// Whether the service may answer later although the user changes nothing.
    package var mayEndByItself: Bool {
        switch self {
        case .blocked, .requestRejected, .insecure, .redirectLoop, .redirectRefused: false
        default: true
        }
    }

    /// Whether the question is settled. If not, it is asked again another time.
    package var isAnswered: Bool {
        switch self {
        case .found, .notFound, .ambiguous, .mismatch: true
        default: false
        }
    }

    /// Whether it says why there is no answer, instead of only that there was none yet.
    package var isCause: Bool {
        switch self {
        case .skipped, .queued, .stopped: false
        default: !isAnswered
        }
    }
}
