package import Books
import Contract
package import Store
package import Syntax

/// Difference of a library's row between two points of time, as `etl diff` and `etl log BOOK` show it.
package struct RowChange: Sendable, Hashable {
    /// The table that the row belongs to.
    package enum Kind: String, Sendable, CaseIterable {
        case work, edition, entry, author
    }

    /// Outcome for the row.
    package enum Effect: String, Sendable, CaseIterable {
        case created, changed, removed
        /// A work that became part of another one.
        case merged
        /// An entry that a newer export of its library no longer has. It was not changed.
        case missing
    }

    /// A field, before and after.
    package struct FieldChange: Sendable, Hashable {
        package var field: String
        /// The value, or the elements of a list; empty if there was none.
        package var before: [String]
        package var after: [String]
        /// The source of the value that is there afterwards; nil if none was noted.
        package var source: Explanation.Source?
        /// Why it was taken.
        package var rule: MergeRule?
    }

    package var kind: Kind
    package var effect: Effect
    /// The public key; of an entry: library, format and source id.
    package var key: String
    package var title: String?
    /// All fields of a row that was created or removed.
    package var fields: [FieldChange] = []
}

/// Rows that a record creates and changes: `etl import --dry-run --show changes`.
package struct RowPreview: Sendable, Hashable {
    /// As a spreadsheet shows it.
    package var row: Int
    /// The file's name, if there are several.
    package var file: String?
    package var outcome: RecordOutcome
    /// The work, the edition and the entry, as far as they differ.
    package var changes: [RowChange]
}

extension RowPreview: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("row", row)
        out.field("file", file)
        out.field("outcome", outcome.name)
        out.field("changes", changes)
    }
}

extension RowChange: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("change", effect.rawValue)
        out.field("kind", kind.rawValue)
        out.field("id", key)
        out.field("title", title)
        out.field("fields", fields)
    }
}

extension RowChange.FieldChange: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("field", field)
        out.field("before", before)
        out.field("after", after)
        out.field("from", source)
        out.field("rule", rule.map { String(describing: $0) })
        out.field("because", rule?.sentence)
    }
}
