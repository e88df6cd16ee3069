package import Books
package import Syntax

/// What `etl set`, `etl lock` and `etl unlock` have changed.
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
}

extension EditReport: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in writeFields(into: &out) }
    }

    /// Writes the fields into an object that has further ones.
    func writeFields(into out: inout JSONWriter) {
        out.field("job", job)
        out.field("dryRun", isDryRun)
        out.field("changes", rows)
    }
}

extension EditReport.Row: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("kind", kind.rawValue)
            out.field("id", key)
            out.field("title", title)
            out.key("fields")
            out.array { out in
                for field in fields {
                    out.object { out in
                        out.field("field", field.field.name)
                        out.field("before", field.before)
                        out.field("after", field.after)
                        out.field("wasLocked", field.wasLocked)
                        out.field("isLocked", field.isLocked)
                    }
                }
            }
        }
    }
}
