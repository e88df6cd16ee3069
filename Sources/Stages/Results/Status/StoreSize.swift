import Foundation
package import Pipeline

/// How much a store holds: for `etl doctor`.
package struct StoreSize: Sendable, Hashable {
    /// A table of the store and how much is in it.
    package struct Table: Sendable, Hashable {
        /// The table's name in the schema.
        package var name: String
        /// Rows in it.
        package var rows: Int
    }

    /// In the order of their names.
    package let tables: [Table]
    /// Bytes of the database file.
    package let fileBytes: Int64
    /// Bytes of it that hold nothing and will be used again.
    package let freeBytes: Int64
    /// Bytes of the log of what is committed and not yet moved into the database file.
    package let logBytes: Int64

    /// Counts rows and bytes. Counting reads each table once.
    ///
    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) throws(StageFailure) {
        self = try connection.snapshot { () throws(StageFailure) in
            try StoreSize(counting: connection)
        }
    }

    private init(counting connection: Connection) throws(StageFailure) {
        var tables: [Table] = []
        let names = try connection.question(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name")
        while try names.next() {
            let name = names.string(0)
            tables.append(
                Table(name: name, rows: Int(try connection.number("SELECT count(*) FROM \"\(name)\""))))
        }
        self.tables = tables
        fileBytes = Self.bytes(connection.path)
        freeBytes =
            try connection.number("PRAGMA freelist_count") * connection.number("PRAGMA page_size")
        logBytes = Self.bytes(connection.path + "-wal")
    }

    private static func bytes(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
