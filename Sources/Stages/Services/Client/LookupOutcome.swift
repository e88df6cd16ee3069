/// How the lookup of one book or person ended, as used in reports. Raw values are stored.
public enum LookupOutcome: UInt8, Sendable, CaseIterable, Hashable {
    case found = 1
    case notFound
    /// No candidate fits well enough, or more than one does, so none is taken.
    case ambiguous
    /// The record is damaged, or the response was unusable or about another book.
    case malformed
    /// Too many requests.
    case rateLimited
    /// The daily budget of requests is spent.
    case quota
    /// Our credentials were rejected: a wrong key, or no contact in the User-Agent.
    case blocked
    /// No answer in time.
    case timeout
    /// Not reachable, or failing repeatedly.
    case down
    /// Not asked: the run is being stopped, or the queue was full.
    case skipped
    /// The service answered with another book every time, in several runs. It is not asked again soon.
    case wrongBook

    /// The name in outputs, `lower_snake_case`.
    public var name: String {
        switch self {
        case .notFound: "not_found"
        case .rateLimited: "rate_limited"
        case .wrongBook: "wrong_book"
        default: String(describing: self)
        }
    }

    /// Whether the question is settled. If not, it is asked again another time.
    public var isAnswered: Bool {
        switch self {
        case .found, .notFound, .ambiguous, .wrongBook: true
        default: false
        }
    }
}
