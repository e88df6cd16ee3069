/// Which column holds which field, as `--map FIELD=COLUMN,…` says it for the format `generic`.
struct ColumnAssignment: Sendable, Hashable {
    let field: String
    /// The column's name in the header.
    let column: String

    /// Reads `title=Book Title,author=Written by`; nil when an item has no `=`, no field or no column, or a
    /// field stands twice.
    static func list(_ text: String) -> [ColumnAssignment]? {
        var assignments: [ColumnAssignment] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, !assignments.contains(where: { $0.field == parts[0] }) else { return nil }
            assignments.append(ColumnAssignment(field: String(parts[0]), column: String(parts[1])))
        }
        return assignments
    }
}
