/// How a look-up of one book or person ended: the taxonomy of reports. Raw values are stored.
public enum LookupOutcome: UInt8, Sendable, CaseIterable, Hashable {
    case found = 1
    case notFound
    /// What fits does not fit well enough, or not alone, so none is taken.
    case ambiguous
    /// The record is damaged, or the answer was none or another book's.
    case malformed
    /// Asked too often.
    case rateLimited
    /// The day's budget of calls is spent.
    case quota
    /// Not let in: a wrong key, or no contact in the User-Agent.
    case blocked
    /// No answer in time.
    case timeout
    /// Not reachable, or failing again and again.
    case down
    /// Not asked: the run is being stopped, or others were before it.
    case skipped
    /// Another book's answer every time it was asked for, in several runs: it is not asked for again soon.
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

    /// Whether the question is settled; one that is not is asked again another time.
    public var isSettled: Bool {
        switch self {
        case .found, .notFound, .ambiguous, .wrongBook: true
        default: false
        }
    }
}
