import Contract
package import Store
package import Syntax

/// The changes of one run in the history of a book: `etl log BOOK`.
package struct HistoryStep: Sendable, Hashable {
    package var job: Job
    /// Milliseconds since 1970; nil if unknown.
    package var startedAt: Int64?
    package var changes: [RowChange]
}

extension HistoryStep: JSONObject {
    /// Writes a step of `etl log BOOK --json`.
    package func writeFields(into out: inout JSONWriter) {
        out.field("job", job.name)
        out.field("pipeline", job.pipeline)
        out.field("at", Timestamp.withoutFraction(startedAt ?? job.startedAt))
        out.field("undoneBy", job.undoneBy)
        out.field("changes", changes)
    }
}
