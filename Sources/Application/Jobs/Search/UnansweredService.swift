package import System

/// A service that has not answered a question, and why.
package struct UnansweredService: Sendable, Hashable {
    /// The service's name.
    package var name: String
    /// Why it has not answered.
    package var outcome: LookupOutcome
    /// The HTTP status of its last failure of that kind; nil without one.
    package var status: Int?
    /// When it may be asked again, in milliseconds since 1970; nil if that is now, or not known.
    package var resumeAt: Int64?

    package init(_ name: String, _ outcome: LookupOutcome, status: Int? = nil, resumeAt: Int64? = nil) {
        self.name = name
        self.outcome = outcome
        self.status = status
        self.resumeAt = resumeAt
    }
}
