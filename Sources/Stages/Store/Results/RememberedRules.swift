package import Database
package import Pipeline
package import System

/// The file of rules that each library remembers and applies to later imports.
package struct RememberedRules {
    static let tables = """
        -- The text is the user's file, comments included.
        CREATE TABLE rules(
            library TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            text TEXT NOT NULL,
            set_at INTEGER NOT NULL) WITHOUT ROWID;
        """

    private let connection: Connection

    /// - Parameter connection: A store.
    package init(_ connection: Connection) { self.connection = connection }

    /// A library's file; nil if it remembers none.
    package func file(of library: String) throws(ETLError) -> DefinitionSource.File? {
        guard let read = try connection.row("SELECT name, text FROM rules WHERE library = ?1", library) else {
            return nil
        }
        return DefinitionSource.File(name: read.string(0), text: read.string(1))
    }

    /// Stores a library's file in place of the one before, or removes it. Locks the store meanwhile, and creates it if
    /// there is none.
    ///
    /// - Parameters:
    ///   - file: The file, which was checked; nil to remove it.
    ///   - now: Milliseconds since 1970.
    /// - Throws: `.temporary` if a run is writing to the store.
    package static func keep(
        _ file: DefinitionSource.File?, of library: String, in store: String, now: Int64,
        waiting policy: LockWaitPolicy = LockWaitPolicy()
    ) throws(ETLError) {
        let lock = try StoreLock(store: store)
        defer { withExtendedLifetime(lock) {} }
        let connection = try StoreFile.openForWriting(store, waiting: policy)
        try connection.transaction { () throws(ETLError) in
            try connection.execute("DELETE FROM rules WHERE library = ?1", library)
            guard let file else { return }
            try connection.execute(
                "INSERT INTO rules VALUES (?1, ?2, ?3, ?4)", library, file.name, file.text, now)
        }
    }

    /// Removes the rules of a library that a job removed, unless it has books again or the rules are newer.
    static func drop(of removal: Job, in connection: Connection) throws(ETLError) {
        try connection.execute(
            """
            DELETE FROM rules WHERE library = ?1 AND set_at <= ?2 AND NOT EXISTS (
                SELECT 1 FROM entries e JOIN libraries l ON l.id = e.library WHERE l.name = ?1)
            """, removal.library, removal.endedAt ?? removal.updatedAt)
    }
}
