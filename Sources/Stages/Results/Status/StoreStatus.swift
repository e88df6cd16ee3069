import Foundation
package import Pipeline

/// What a store holds and how its jobs stand: `etl jobs`, `etl status`, `etl doctor`.
package struct StoreStatus {
    private let connection: Connection

    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) { self.connection = connection }

    /// All jobs, the newest first.
    package func jobs() throws(StageFailure) -> [JobOverview] {
        let isBusy = StoreLock.isHeld(store: connection.path)
        return try JobLedger(connection).all().map { JobOverview($0, isStoreBusy: isBusy) }
    }

    /// One job; nil for the newest.
    ///
    /// - Throws: `.missing` where there is none.
    package func job(_ name: String?) throws(StageFailure) -> JobOverview {
        JobOverview(
            try JobLedger(connection).existing(name), isStoreBusy: StoreLock.isHeld(store: connection.path))
    }

    // MARK: Size

    /// How much a store holds.
    package struct Size: Sendable, Hashable {
        /// In the order of their names.
        package var tables: [Table]
        /// Bytes of the database file.
        package var fileBytes: Int64
        /// Bytes of it that hold nothing and will be used again.
        package var freeBytes: Int64
        /// Bytes of the log of what is committed and not yet moved into the database file.
        package var logBytes: Int64

        package struct Table: Sendable, Hashable {
            package var name: String
            package var rows: Int
        }
    }

    /// Counts rows and bytes. Counting reads each table once.
    package func size() throws(StageFailure) -> Size {
        try connection.snapshot { () throws(StageFailure) in
            var tables: [Size.Table] = []
            let names = try connection.question(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name")
            while try names.next() {
                let name = names.string(0)
                tables.append(.init(name: name, rows: Int(try connection.number("SELECT count(*) FROM \"\(name)\""))))
            }
            let pageBytes = try connection.number("PRAGMA page_size")
            return Size(
                tables: tables, fileBytes: Self.bytes(connection.path),
                freeBytes: try connection.number("PRAGMA freelist_count") * pageBytes,
                logBytes: Self.bytes(connection.path + "-wal"))
        }
    }

    private static func bytes(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
