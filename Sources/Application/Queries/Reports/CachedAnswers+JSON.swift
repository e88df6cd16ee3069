import Contract
package import Store
package import Syntax

extension CachedAnswers {
    /// Writes the output of `etl cache info --json`: one object for each service.
    package static func write(_ summaries: [Report], into out: inout JSONWriter) {
        out.array(summaries) { summary, out in
            out.field("service", summary.service)
            out.field("found", summary.found)
            out.field("notFound", summary.notFound)
            out.field("stale", summary.stale)
            out.field("bytes", summary.bytes)
            out.field("oldestMilliseconds", summary.oldestMilliseconds)
        }
    }
}
