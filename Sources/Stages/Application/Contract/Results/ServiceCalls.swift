package import Syntax

/// What a run had to do with a service, in the closing summary.
package struct ServiceCalls: Sendable, Hashable {
    package var name: String
    /// Requests sent, each attempt counted.
    package var calls: Int
    /// Questions whose answer was kept already.
    package var hits: Int
    /// Answers by what they said; those that did not come are unanswered.
    package var found: Int
    package var notFound: Int
    package var unanswered: Int
    /// Answers that said: too fast.
    package var throttled: Int
    /// Milliseconds within which 50, 95 and 99 % of the answers came; nil where none did.
    package var p50: Double?
    package var p95: Double?
    package var p99: Double?

    package init(
        name: String, calls: Int, hits: Int, found: Int, notFound: Int, unanswered: Int, throttled: Int,
        p50: Double? = nil, p95: Double? = nil, p99: Double? = nil
    ) {
        self.name = name
        self.calls = calls
        self.hits = hits
        self.found = found
        self.notFound = notFound
        self.unanswered = unanswered
        self.throttled = throttled
        (self.p50, self.p95, self.p99) = (p50, p95, p99)
    }
}

extension ServiceCalls: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("calls", calls)
            out.field("hits", hits)
            out.field("found", found)
            out.field("notFound", notFound)
            out.field("unanswered", unanswered)
            out.field("throttled", throttled)
            out.field("p50Ms", p50)
            out.field("p95Ms", p95)
            out.field("p99Ms", p99)
        }
    }
}
