package import Database
package import System

/// Reads what the user has set and locked, for reports.
package struct StoredEdits {
    /// A field that is set or locked.
    package struct Edit: Sendable, Hashable {
        package var field: EditableField
        /// Whether the user has set its value; else it is only locked.
        package var isSet: Bool
        /// Milliseconds since 1970.
        package var editedAt: Int64
    }

    private let read: Statement

    package init(_ connection: Connection) throws(ETLError) {
        read = try connection.prepare(
            "SELECT id & 255, is_set, edited_at FROM edits WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
    }

    /// The edits of a work, an edition or an entry, in the order of the fields.
    package func edits(of part: EditableField.Part, _ row: Int64) throws(ETLError) -> [Edit] {
        read.bind(
            values: row << EditIDs.bits + part.codes.lowerBound,
            row << EditIDs.bits + part.codes.upperBound - 1)
        defer { read.reset() }
        var edits: [Edit] = []
        while try read.next() {
            guard let field = EditableField(rawValue: UInt8(truncatingIfNeeded: read.integer(0))) else {
                continue
            }
            edits.append(Edit(field: field, isSet: read.integer(1) != 0, editedAt: read.integer(2)))
        }
        return edits
    }
}
