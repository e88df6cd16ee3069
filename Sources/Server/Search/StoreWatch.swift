import Queries
import Store
import Synchronization
import System

/// Detects changes of a store and its vectors by any process.
package final class StoreWatch: Sendable {
    private let store: String
    private let counter = Atomic<UInt64>(0)
    private let vectorCounter = Atomic<UInt64>(0)
    private let seen = Guarded<(store: [FileFacts?], vectors: FileFacts?)>(([], nil))
    private let end = Atomic<UInt64>(0)

    package init(store: String) {
        self.store = store
        look()
    }

    /// Grows with each change that ``look()`` has noticed, from 1.
    package var version: UInt64 { counter.load(ordering: .acquiring) }

    /// The version that an answer is of.
    ///
    /// - Parameter isOfVectors: Whether it depends on the vectors too. They change often while they are computed.
    func version(isOfVectors: Bool) -> UInt64 {
        version &+ (isOfVectors ? vectorCounter.load(ordering: .acquiring) : 0)
    }

    /// The version that the last job has left. Answers from earlier ones lack its books.
    package var lastEnd: UInt64 { end.load(ordering: .acquiring) }

    /// A job has ended, and its clients are about to be told.
    package func noteEnd() { end.store(look(), ordering: .releasing) }

    /// Looks at the store's files. Call it a few times a second.
    ///
    /// - Returns: The version now.
    @discardableResult package func look() -> UInt64 {
        // Under one lock, so that a caller that finds no change also reads the version that belongs to it.
        seen.withLock { seen in
            // SQLite keeps its log next to the file that a link names.
            let real = StorePath.real(store)
            let found = [real, real + "-wal"].map(Self.facts)
            if found != seen.store {
                seen.store = found
                counter.wrappingAdd(1, ordering: .releasing)
            }
            let vectors = Self.facts(of: StoreVectors.path(of: store))
            if vectors != seen.vectors {
                seen.vectors = vectors
                vectorCounter.wrappingAdd(1, ordering: .releasing)
            }
            return version
        }
    }

    private static func facts(of path: String) -> FileFacts? {
        // Readers make and remove an empty log: that is no change, and would end all that is kept in memory.
        FileFacts(of: path).flatMap { $0.size > 0 ? $0 : nil }
    }
}
