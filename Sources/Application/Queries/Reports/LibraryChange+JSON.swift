import Contract
package import Store
package import Syntax

/// The output of `etl undo --json` and `etl forget --json`.
extension LibraryChange: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("job", job?.name)
        out.field("dryRun", job == nil)
        out.field("undone", undone.map(\.name))
        out.field("redone", redone.map(\.name))
        rows.writeFields(into: &out)
    }
}

/// The output of `etl doctor --repair --json`.
package struct RepairReport: JSONObject {
    private let change: LibraryChange?

    /// - Parameter change: What was removed; nil if nothing was.
    package init(_ change: LibraryChange?) { self.change = change }

    package func writeFields(into out: inout JSONWriter) {
        out.field("job", change?.job?.name)
        out.field("untitledRemoved", change?.rows.entries.deleted ?? 0)
    }
}

extension RowCounts: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("works", works)
        out.field("editions", editions)
        out.field("authors", authors)
        out.field("entries", entries)
    }
}

extension RowCounts.Count: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("removed", deleted)
        out.field("restored", restored)
    }
}

extension Pruning: JSONObject {
    /// Writes the output of `etl doctor --prune --json`.
    package func writeFields(into out: inout JSONWriter) {
        out.field("changesForgotten", images)
        out.field("noLongerUndoable", jobs)
        out.field("noLongerRedoable", undoneJobs)
        out.field("jobsDeleted", finishedJobs)
        out.field("expiredAnswers", answers)
        out.field("bytesFreed", shortenedBytes)
        out.field("bytesUnused", freeBytes)
    }
}
