/// How the lookup of one key ended, as used in reports. Raw values are stored.
public enum LookupOutcome: UInt8, Sendable, CaseIterable, Hashable {
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
    /// No answer in time.
    case timeout
    /// Not reachable, failing repeatedly, or answering with errors that say nothing about the key.
    case down
    /// Not asked: the run is being stopped, the queue was full, or other keys made the batch fail.
    case skipped
    /// The service answered with something else every time, in several runs. It is not asked again soon.
    case mismatch

    /// The name in outputs, `lower_snake_case`.
    public var name: String {
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
        }
    }

    /// Whether the service works and the question only has to wait for its turn.
    package var isLikelyToEnd: Bool {
        switch self {
        case .timeout, .skipped, .rateLimited: true
        default: false
        }
    }

    /// Whether the question is settled. If not, it is asked again another time.
    public var isAnswered: Bool {
        switch self {
        case .found, .notFound, .ambiguous, .mismatch: true
        default: false
        }
    }
}
