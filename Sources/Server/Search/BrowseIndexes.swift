package import Database
package import Queries
package import System

/// The libraries that were browsed last, in memory (``BrowseIndex``). Together they take a bounded amount of memory.
///
/// An index is made again if the store has changed: at once after the end of a job, whose books are expected, and
/// otherwise at most for a tenth of the time.
package final class BrowseIndexes: Sendable {
    /// Maximum number of entries of a library with an index. Larger libraries are shown without counts and filters.
    package static let maxEntries = 500_000

    /// A library as it was at some version of the store.
    package struct Library: Sendable {
        /// Nil for a library that is too large.
        package var index: BrowseIndex?
        /// All libraries of the store with the number of their entries.
        package var all: [(name: String, count: Int)]
    }

    private struct Held: Sendable {
        var library: Library
        var version: UInt64
        /// When it was made and last used, in nanoseconds.
        var madeAt: UInt64
        var usedAt: UInt64
        /// How long it took, in nanoseconds.
        var duration: UInt64
    }

    private let watch: StoreWatch
    private let clock: any RunClock
    private let capacity: Int
    private let held = Guarded<[String?: Held]>([:])

    /// - Parameter capacity: Maximum memory of all indexes in bytes. One is always kept.
    package init(watch: StoreWatch, clock: any RunClock, capacity: Int = 128 << 20) {
        self.watch = watch
        self.clock = clock
        self.capacity = capacity
    }

    /// Whether there is an index that can be used now, as far as is known without a look at the store.
    package func isReady(_ library: String?) -> Bool { usable(library, version: watch.version) != nil }

    /// The jobs of a library with books to decide; none if it has no index that can be used now.
    ///
    /// - Parameter library: The library; nil for all.
    package func undecided(in library: String?) -> [(job: String, count: Int)] {
        usable(library, version: watch.version)?.library.index?.undecided ?? []
    }

    /// The index of a library. Makes it if need be, on the thread of the caller.
    ///
    /// - Parameters:
    ///   - library: The library; nil for all.
    ///   - store: The store, opened for reading. The index may be newer than what it shows.
    package func library(_ library: String?, in store: Connection) throws(ETLError) -> Library {
        // Looked at before it is read: what is committed meanwhile is found by the next look.
        let version = watch.look()
        if let held = usable(library, version: version) { return held.library }
        let start = clock.nanoseconds()
        let all = try LibraryBrowser(store).libraries()
        let count = all.reduce(0) { $0 + (library == nil || library == $1.name ? $1.count : 0) }
        let made = Library(
            index: count <= Self.maxEntries ? try BrowseIndex(store, library: library) : nil, all: all)
        let now = clock.nanoseconds()
        keep(
            Held(library: made, version: version, madeAt: now, usedAt: now, duration: now - start),
            of: library)
        return made
    }

    private func usable(_ library: String?, version: UInt64) -> Held? {
        let (now, end) = (clock.nanoseconds(), watch.lastEnd)
        return held.withLock { held in
            guard let found = held[library], found.version >= end,
                found.version >= version || now - found.madeAt < 10 * found.duration
            else { return nil }
            held[library]?.usedAt = now
            return found
        }
    }

    private func keep(_ made: Held, of library: String?) {
        held.withLock { held in
            held[library] = made
            var size = held.values.reduce(0) { $0 + ($1.library.index?.size ?? 0) }
            while size > capacity, held.count > 1,
                let oldest = held.filter({ $0.key != library }).min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                size -= oldest.value.library.index?.size ?? 0
                held[oldest.key] = nil
            }
            // Libraries without an index cost nothing but their names, which anybody may make up.
            if held.count > 10_000 { held = [library: made] }
        }
    }
}
