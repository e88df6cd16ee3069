package import Books
package import Syntax

/// The output of `etl undo --json` and `etl forget --json`.
extension LibraryChange: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("job", job?.name)
            out.field("dryRun", job == nil)
            out.field("undone", undone.map(\.name))
            out.field("redone", redone.map(\.name))
            rows.writeFields(into: &out)
        }
    }
}

extension RowCounts: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in writeFields(into: &out) }
    }

    /// Writes the fields into an object that has further ones.
    func writeFields(into out: inout JSONWriter) {
        out.field("works", works)
        out.field("editions", editions)
        out.field("authors", authors)
        out.field("entries", entries)
    }
}

extension RowCounts.Count: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("removed", deleted)
            out.field("restored", restored)
        }
    }
}

extension Pruning: JSONWritable {
    /// Writes the output of `etl doctor --prune --json`.
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("changesForgotten", images)
            out.field("noLongerUndoable", jobs)
            out.field("noLongerRedoable", undoneJobs)
            out.field("jobsDeleted", finishedJobs)
            out.field("expiredAnswers", answers)
            out.field("bytesFreed", shortenedBytes)
            out.field("bytesUnused", freeBytes)
        }
    }
}
