import Database

/// The columns that stores of older versions lack. Opening a store for reading does not migrate it, so queries find
/// these columns in temporary views, always NULL.
enum LaterColumns {
    private static let columns: [(table: JournaledTable, names: [String])] = [
        (.entries, ["date_started", "earlier_readings"]), (.removedEntries, ["joined_into"]),
    ]

    /// Adds the views that a connection needs. They take precedence over the tables of the same names.
    static func complete(_ connection: Connection) throws(SQLiteError) {
        guard let version = try connection.integer("PRAGMA user_version"), version < Schema.migrations.count
        else {
            return
        }
        // As in ``Connection/snapshot(_:)``: a change of this setting deletes temporary views.
        try connection.execute("PRAGMA temp_store = FILE")
        let isReading = try connection.integer("PRAGMA query_only") ?? 0
        try connection.execute("PRAGMA query_only = OFF")
        for (table, names) in columns {
            for name in [table.name, table.images] {
                let known =
                    try connection.string(
                        "SELECT group_concat(name) FROM pragma_table_info('\(name)')") ?? ""
                let missing = names.filter { !known.contains($0) }
                guard !known.isEmpty, !missing.isEmpty else { continue }
                try connection.execute(
                    "CREATE TEMP VIEW \(name) AS SELECT *, \(missing.map { "NULL AS \($0)" }.joined(separator: ", ")) FROM main.\(name)"
                )
            }
        }
        try connection.execute("PRAGMA query_only = \(isReading)")
    }
}
