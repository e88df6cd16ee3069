import Glibc
import Pipeline
import Synchronization

/// Notices that a store has changed, whoever has written it.
package final class StoreWatch: Sendable {
    private let paths: [String]
    private let counter = Atomic<UInt64>(0)
    private let seen = Guarded<[Facts]>([])

    private struct Facts: Sendable, Hashable {
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    package init(store: String) {
        paths = [store, store + "-wal"]
        look()
    }

    /// Grows with each change that ``look()`` has noticed.
    package var version: UInt64 { counter.load(ordering: .relaxed) }

    /// Looks at the store's files. Call it a few times a second.
    package func look() {
        let found = paths.map { path in
            var facts = stat()
            // Readers make and remove an empty log: that is no change, and would end all that is kept in memory.
            guard stat(path, &facts) == 0, facts.st_size > 0 else {
                return Facts(size: 0, seconds: 0, nanoseconds: 0)
            }
            return Facts(
                size: Int64(facts.st_size), seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec)
        }
        let hasChanged = seen.withLock { seen in
            defer { seen = found }
            return seen != found
        }
        if hasChanged { counter.wrappingAdd(1, ordering: .relaxed) }
    }
}
