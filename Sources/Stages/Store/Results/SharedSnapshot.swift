package import Database
package import System

/// Several connections that read one state of a store, so that several threads can use one each.
package enum SharedSnapshot {
    /// Bytes of the page cache of each further connection.
    private static let cacheBytes = 4 << 20

    /// Runs `body` on one consistent state of a store.
    ///
    /// - Parameters:
    ///   - connection: A store opened for reading, outside a transaction.
    ///   - count: Number of further connections.
    ///   - body: Receives the further connections, which read the same state. There are none if another
    ///     process has committed while they were opened.
    package static func read<Result>(
        _ connection: Connection, with count: Int,
        _ body: ([Connection]) throws(ETLError) -> Result
    ) throws(ETLError) -> Result {
        var others: [Connection] = []
        for _ in 0..<count { others.append(try StoreFile.openForReading(connection.path)) }
        for other in others {
            try other.execute("PRAGMA cache_size = -\(cacheBytes / 1_024)")
            try other.mapFile()
        }
        let before = try others.last?.dataVersion()
        return try connection.snapshot { () throws(ETLError) -> Result in
            // A transaction sees the state at its first read.
            for reader in [connection] + others {
                if reader !== connection { try reader.begin(isDeferred: true) }
                _ = try reader.integer("SELECT count(*) FROM sqlite_schema")
            }
            // The last one began last: it knows of every commit until then.
            if before != (try others.last?.dataVersion()) {
                for other in others { other.rollBack() }
                others = []
            }
            return try body(others)
        }
    }
}
