package import Database
package import System

/// Speed and size of earlier imports into a store, to forecast the next one.
package struct ImportHistory: Sendable, Hashable {
    /// Records processed per second, over all jobs; nil with fewer than ``minRecords``.
    package let recordsPerSecond: Double?
    /// Bytes of the store per entry; nil with fewer than ``minRecords`` entries.
    package let bytesPerEntry: Double?

    /// Fewer records than this give no meaningful figures.
    package static let minRecords: Int64 = 1_000

    /// Reads the figures from a store.
    ///
    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) throws(ETLError) {
        let done =
            try connection.integer("SELECT sum(created + updated + duplicates + rejected) FROM jobs") ?? 0
        let busy = try connection.integer("SELECT sum(busy_ms) FROM jobs") ?? 0
        let entries = try connection.integer("SELECT max(id) FROM entries") ?? 0
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let page = try connection.integer("PRAGMA page_size") ?? 0
        let hasTiming = done >= Self.minRecords && busy > 0
        recordsPerSecond = hasTiming ? Double(done) * 1_000 / Double(busy) : nil
        bytesPerEntry = entries >= Self.minRecords ? Double(pages * page) / Double(entries) : nil
    }
}
