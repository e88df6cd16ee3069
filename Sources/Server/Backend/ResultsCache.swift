package import Contract

/// Results of jobs, kept in memory until the store changes. Times are milliseconds since 1970.
package struct ResultsCache: Sendable {
    /// Which results.
    package struct Key: Sendable, Hashable {
        /// The job's name.
        package var job: String
        /// The shape; nil for that of the job's pipeline.
        package var view: ResultsView?

        package init(_ job: String, as view: ResultsView?) {
            self.job = job
            self.view = view
        }
    }

    /// The results of a job.
    package struct Entry: Sendable {
        /// The `data` of the envelope.
        package var data: [UInt8]
        package var metadata: ResponseMetadata
        /// When they expire; nil while the job has not ended.
        package var expiresAt: Int64?
        /// Whether the job is completed, waits for nothing and has nothing to correct.
        package var isFinal: Bool

        package init(data: [UInt8], metadata: ResponseMetadata, expiresAt: Int64?, isFinal: Bool) {
            self.data = data
            self.metadata = metadata
            self.expiresAt = expiresAt
            self.isFinal = isFinal
        }
    }

    /// Maximum size of all results in bytes.
    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var size = 0
    /// The version of the store that all results are from.
    private var version: UInt64 = 0

    package init(capacity: Int = 32 << 20) { self.capacity = capacity }

    /// Kept results; nil if there are none, or they have expired.
    ///
    /// - Parameter version: The store's version now.
    package mutating func entry(_ key: Key, version: UInt64, now: Int64) -> Entry? {
        move(to: version)
        guard let entry = entries[key], entry.expiresAt.map({ now < $0 }) ?? true else { return nil }
        return entry
    }

    /// Keeps results.
    ///
    /// - Parameter version: The store's version before they were read.
    package mutating func keep(_ entry: Entry, for key: Key, version: UInt64) {
        move(to: version)
        guard version == self.version, entry.data.count <= capacity / 8 else { return }
        if size + entry.data.count > capacity { removeAll() }
        size += entry.data.count - (entries.updateValue(entry, forKey: key)?.data.count ?? 0)
    }

    private mutating func move(to version: UInt64) {
        guard version > self.version else { return }
        removeAll()
        self.version = version
    }

    private mutating func removeAll() {
        entries.removeAll()
        size = 0
    }
}
