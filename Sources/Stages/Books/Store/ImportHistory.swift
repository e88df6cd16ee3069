package import Database
package import Pipeline

/// What earlier imports into a store tell of the next one.
package struct ImportHistory: Sendable, Hashable {
    /// Records done in a second, over all completed jobs; nil below ``minRecords``.
    package let recordsPerSecond: Double?
    /// Bytes of the store for each entry; nil below ``minRecords``.
    package let bytesPerEntry: Double?

    /// Records below which figures tell nothing.
    package static let minRecords: Int64 = 1_000

    /// Reads the figures.
    ///
    /// - Parameter connection: A store opened for reading.
    package init(_ connection: Connection) throws(StageFailure) {
        do throws(SQLiteError) {
            let done =
                try connection.integer("SELECT sum(created + updated + duplicates + rejected) FROM jobs") ?? 0
            let busy = try connection.integer("SELECT sum(busy_ms) FROM jobs") ?? 0
            let entries = try connection.integer("SELECT max(id) FROM entries") ?? 0
            let pages = try connection.integer("PRAGMA page_count") ?? 0
            let page = try connection.integer("PRAGMA page_size") ?? 0
            let hasTiming = done >= Self.minRecords && busy > 0
            recordsPerSecond = hasTiming ? Double(done) * 1_000 / Double(busy) : nil
            bytesPerEntry = entries >= Self.minRecords ? Double(pages * page) / Double(entries) : nil
        } catch {
            throw error.failure
        }
    }
}
