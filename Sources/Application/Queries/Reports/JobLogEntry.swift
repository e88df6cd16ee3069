import Contract
package import Store
package import Syntax

/// A job in the history of the library: `etl log`.
package struct JobLogEntry: Sendable, Hashable {
    package var job: Job
    /// The jobs that it undid.
    package var undoes: [String]
    /// Whether its changes are known, so that it can be shown and undone.
    package var isKnown: Bool
}

extension JobLogEntry: JSONObject {
    /// Writes a job of `etl log --json`.
    package func writeFields(into out: inout JSONWriter) {
        out.field("job", job.name)
        out.field("pipeline", job.pipeline)
        out.field("library", job.library)
        out.field("startedAt", Timestamp.withoutFraction(job.startedAt))
        out.field("endedAt", job.endedAt.map { Timestamp.withoutFraction($0) })
        out.field("created", job.counts.booksCreated)
        out.field("updated", job.counts.booksUpdated)
        out.field("rows", job.runState.rows)
        if !undoes.isEmpty { out.field("undoes", undoes) }
        out.field("undoneBy", job.undoneBy)
        out.field("canBeUndone", isKnown && job.undoneBy == nil)
    }
}
