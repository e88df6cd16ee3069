import Database

/// Copies a full-text index from one database of a connection to another: whole rows as they lie there, for their
/// tables are alike.
enum FullTextCopy {
    /// Tables that have rows, those of FTS5 first.
    private static let tables = [
        "search_data", "search_idx", "search_config", "search_document", "search_title", "search_term",
        "search_typo",
    ]

    /// - Parameters:
    ///   - source: The connection's name of the database that has the index.
    ///   - connection: Its main database has the tables of ``FullTextSchema``; what is in them is replaced.
    ///   - begin: Called before each table; what it throws ends the copying.
    static func copy(
        from source: String, _ connection: Connection,
        beginning begin: () throws(SQLiteError) -> Void = { () throws(SQLiteError) in }
    ) throws(SQLiteError) {
        try connection.openingShadowTables { () throws(SQLiteError) in
            for table in tables {
                try begin()
                try connection.execute(
                    "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM \(source).\(table)")
            }
        }
    }
}
