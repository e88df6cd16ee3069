import Database

/// Entries that a job which is run again has created the first time, and that have stayed (``JobRollback``): the record that
/// comes to one of them first counts as created again, whatever else it is.
struct PreviouslyCreated {
    static let table = "temp.created_before"

    private let remove: Statement
    private let connection: Connection

    /// - Returns: nil where no job is run again.
    init?(_ connection: Connection) throws(SQLiteError) {
        let there = try connection.integer(
            "SELECT count(*) FROM sqlite_temp_master WHERE name = 'created_before'")
        guard there != 0 else { return nil }
        self.connection = connection
        remove = try connection.prepare("DELETE FROM \(Self.table) WHERE id = ?1")
    }

    /// Begins with none.
    static func begin(in connection: Connection) throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table)(id INTEGER PRIMARY KEY, is_later INTEGER NOT NULL DEFAULT 0);
            DELETE FROM \(table)
            """)
    }

    /// Forgets them all, after ``begin(in:)``: the job is through.
    static func end(in connection: Connection) throws(SQLiteError) {
        try connection.execute("DELETE FROM \(table)")
    }

    /// Whether an entry is one of them; the next record that comes to it is another mention.
    func take(_ entry: Int64) throws(SQLiteError) -> Bool {
        remove.bind(1, entry)
        try remove.run()
        return connection.changes > 0
    }
}
