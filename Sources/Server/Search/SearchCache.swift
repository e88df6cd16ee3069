/// Answers to searches, kept in memory until they are too old or the store has changed. Times are milliseconds of a
/// monotonic clock.
package struct SearchCache: Sendable {
    /// A search: its terms, and the shape of its answer.
    package struct Key: Sendable, Hashable {
        package var kind: SearchKind
        /// The texts that are asked for, separated by line ends.
        package var text: String
        package var limit: Int
        package var shape: SearchShape
        /// The library whose books are found besides those of catalogs; nil for all.
        package var library: String?
        /// The languages of the client, ISO 639-1, the preferred one first.
        package var languages: [String] = []

        package init(kind: SearchKind, text: String, limit: Int, shape: SearchShape) {
            self.kind = kind
            self.text = text
            self.limit = limit
            self.shape = shape
        }
    }

    /// The answer to a search.
    package struct Entry: Sendable, Hashable {
        /// The `data` of the envelope.
        package var data: [UInt8]
        /// The provider of most works, or ``ResponseMetadata/noProvider`` if nothing was found; nil if the results
        /// come from no provider.
        package var provider: String?
        /// Identifies ``data``.
        package var tag: String
        package var isEmpty: Bool
        /// Whether nothing is missing that a service may still tell.
        package var isComplete: Bool
        /// When it was made.
        package var madeAt: Int64
        /// The version of the store that it was made from.
        package var version: UInt64

        package init(
            data: [UInt8], provider: String?, tag: String, isEmpty: Bool, isComplete: Bool = true,
            madeAt: Int64, version: UInt64
        ) {
            self.data = data
            self.provider = provider
            self.tag = tag
            self.isEmpty = isEmpty
            self.isComplete = isComplete
            self.madeAt = madeAt
            self.version = version
        }
    }

    /// Time for which an answer is used although the store has changed, or a service may still tell more. While an
    /// import runs, the store changes many times a second.
    package static let staleTime: Int64 = 5_000
    /// The age from which using such an answer starts a search that replaces it, so that no client waits for that.
    package static let renewalTime: Int64 = 2_000

    private let capacity: Int
    private var entries: [Key: (entry: Entry, usedAt: UInt64)] = [:]
    /// Bytes of all entries.
    package private(set) var size = 0
    private var uses: UInt64 = 0

    /// - Parameter capacity: Maximum size of answers in bytes.
    package init(capacity: Int) { self.capacity = capacity }

    /// A kept answer; nil if there is none that may be used.
    ///
    /// - Parameters:
    ///   - version: The store's version now.
    ///   - oldest: The oldest version whose answers may be used although the store has changed.
    package mutating func entry(_ key: Key, now: Int64, version: UInt64, since oldest: UInt64 = 0) -> Entry? {
        guard let found = entries[key] else { return nil }
        let age = now - found.entry.madeAt
        guard age < key.kind.lifetime(isEmpty: found.entry.isEmpty),
            found.entry.version == version && found.entry.isComplete
                || age < Self.staleTime && found.entry.version >= oldest
        else {
            remove(key)
            return nil
        }
        uses += 1
        entries[key]?.usedAt = uses
        return found.entry
    }

    /// Whether an answer should be replaced although it may still be used.
    package static func isAging(_ entry: Entry, now: Int64, version: UInt64) -> Bool {
        (entry.version != version || !entry.isComplete) && now - entry.madeAt >= renewalTime
    }

    /// Keeps an answer. The least recently used ones make room for it.
    package mutating func keep(_ entry: Entry, for key: Key) {
        remove(key)
        guard entry.data.count <= capacity / 8 else { return }
        uses += 1
        entries[key] = (entry, uses)
        size += entry.data.count
        guard size > capacity else { return }
        // A quarter at once, so that sorting is rare.
        for (key, _) in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt })
        where size > capacity * 3 / 4 {
            remove(key)
        }
    }

    private mutating func remove(_ key: Key) {
        if let removed = entries.removeValue(forKey: key) { size -= removed.entry.data.count }
    }
}

/// A search query.
package enum SearchKind: String, Sendable, Hashable {
    case isbn, title, author, advanced, similar, semantic

    private static let day: Int64 = 86_400_000

    /// Lifetime of an answer, in milliseconds: a week for an ISBN, a day for anything else, and for an ISBN that no
    /// source knew.
    package func lifetime(isEmpty: Bool) -> Int64 { self == .isbn && !isEmpty ? 7 * Self.day : Self.day }
}

/// The shapes of answers to searches.
package enum SearchShape: Sendable, Hashable {
    /// Works, editions, authors, and the same books flat.
    case full
    /// Books only.
    case books
    /// One flat book.
    case book
}
