import Bytes
import Database
import System

/// Remembers which row had a key first, for any number of keys in bounded memory: they are in a temporary
/// database, which SQLite deletes when the process ends.
///
/// A row may be noted again, as when a batch is processed twice.
actor SeenKeys {
    /// A key and the row that has it.
    struct Key: Sendable, Hashable {
        /// The number of the row in its batch.
        var number: Int
        var text: String
        /// Index of the row's file among the inputs of the run.
        var file: Int
        /// Number of the row in its file, from 1.
        var row: Int
    }

    private nonisolated let executor = QueueExecutor(label: "etl.seen-keys")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private struct Tables {
        let connection: Connection
        let find: Statement
        let insert: Statement

        init() throws(ETLError) {
            // Without a name, the database is a temporary file of its own.
            connection = try Connection("", .create)
            try connection.execute(
                """
                PRAGMA synchronous = OFF; PRAGMA cache_size = -8192;
                CREATE TABLE keys(key INTEGER PRIMARY KEY, mark INTEGER, file INTEGER, row INTEGER)
                """)
            find = try connection.prepare("SELECT mark, file, row FROM keys WHERE key = ?1")
            insert = try connection.prepare("INSERT INTO keys VALUES (?1, ?2, ?3, ?4)")
        }
    }

    private var tables: Tables?

    /// Notes the keys of a batch, in order.
    ///
    /// - Returns: The keys that an earlier row has, each with the number of that row.
    func note(_ keys: [Key]) throws(ETLError) -> [(number: Int, row: Int)] {
        let tables: Tables
        if let open = self.tables { tables = open } else { tables = try Tables() }
        self.tables = tables
        return try tables.connection.transaction { () throws(ETLError) in
            var repeated: [(number: Int, row: Int)] = []
            for key in keys {
                if let row = try Self.note(key, in: tables) { repeated.append((key.number, row)) }
            }
            return repeated
        }
    }

    /// The number of the earlier row with a key; nil if there is none.
    private static func note(_ key: Key, in tables: Tables) throws(ETLError) -> Int? {
        let bytes = Array(key.text.utf8)
        // Two hashes together distinguish more keys than any input has.
        let mark = Int64(bitPattern: KeyHash.hash(bytes, seed: 0x5DEE_CE66))
        var place = Int64(bitPattern: KeyHash.hash(bytes))
        while true {
            guard try tables.find.first(place) else { break }
            defer { tables.find.reset() }
            guard tables.find.integer(0) == mark else {
                place &+= 1
                continue
            }
            let isSame = tables.find.integer(1) == key.file && tables.find.integer(2) == key.row
            return isSame ? nil : Int(tables.find.integer(2))
        }
        tables.find.reset()
        tables.insert.bind(1, place)
        tables.insert.bind(2, mark)
        tables.insert.bind(3, key.file)
        tables.insert.bind(4, key.row)
        try tables.insert.run()
        return nil
    }
}
