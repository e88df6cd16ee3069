import Contract
package import Queries
package import Store
package import Syntax

/// Result of `etl set`, `etl lock` and `etl unlock`.
package struct EditReport: Sendable, Hashable {
    /// A work, an edition or an entry.
    package struct Row: Sendable, Hashable {
        package var kind: RowChange.Kind
        /// The public key; of an entry: library, format and source id.
        package var key: String
        package var title: String?
        package var fields: [EditedField]
    }

    /// The name of the job; nil if nothing was changed.
    package var job: String?
    package var isDryRun: Bool
    package var rows: [Row]
    /// How the book was found, if not by its key. For people; not part of the JSON.
    package var remarks: [String] = []
}

/// Result of `etl set --from`.
package struct SheetReport: Sendable, Hashable {
    /// A row of the table that no entry belongs to.
    package struct UnknownRow: Sendable, Hashable {
        /// As a spreadsheet shows it.
        package var row: Int
        package var title: String
        /// Library, format and source id.
        package var id: String
        /// Whether the user has removed its entry.
        package var isRemoved: Bool
    }

    /// A cell that cannot be used.
    package struct Mistake: Sendable, Hashable {
        package var row: Int
        package var column: String
        package var message: String
    }

    package var edits: EditReport
    package var unknownRows: [UnknownRow]
    package var mistakes: [Mistake]
}

extension SheetReport: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        edits.writeFields(into: &out)
        out.field("unknownRows", unknownRows) { row, out in
            out.field("row", row.row)
            out.field("title", row.title)
            out.field("id", row.id)
            out.field("removed", row.isRemoved)
        }
        out.field("mistakes", mistakes) { mistake, out in
            out.field("row", mistake.row)
            out.field("column", mistake.column)
            out.field("message", mistake.message)
        }
    }
}

/// Result of `etl merge` and `etl split`.
package struct WorkChange: Sendable, Hashable {
    /// The title of the book.
    package var book: String
    /// The works that were combined, the one that stays first; or the editions that were taken out.
    package var keys: [String]
    /// The name of the job; nil if nothing was changed.
    package var job: String?
    package var isDryRun: Bool

    func with(_ job: Job) -> WorkChange {
        var result = self
        result.job = job.name
        return result
    }
}

extension WorkChange: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("job", job)
        out.field("dryRun", isDryRun)
        out.field("title", book)
        out.field("ids", keys)
    }
}

extension EditReport: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("job", job)
        out.field("dryRun", isDryRun)
        out.field("changes", rows)
    }
}

extension EditReport.Row: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("kind", kind.rawValue)
        out.field("id", key)
        out.field("title", title)
        out.field("fields", fields) { field, out in
            out.field("field", field.field.name)
            out.field("before", field.before)
            out.field("after", field.after)
            out.field("wasLocked", field.wasLocked)
            out.field("isLocked", field.isLocked)
        }
    }
}
