import Books
import Glibc
import Pipeline

/// Notices that a store has changed, whoever has written it.
package final class StoreWatch: Sendable {
    private let store: String
    private let state = Guarded(State())

    private struct State: Sendable {
        var seen: [Facts] = []
        var version: UInt64 = 0
    }

    private struct Facts: Sendable, Hashable {
        var device: UInt64 = 0
        var file: UInt64 = 0
        var size: Int64 = 0
        var seconds = 0
        var nanoseconds = 0
    }

    package init(store: String) {
        self.store = store
        look()
    }

    /// Grows with each change that ``look()`` has noticed, from 1.
    package var version: UInt64 { state.withLock { $0.version } }

    /// Looks at the store's files. Call it a few times a second.
    package func look() {
        state.withLock { state in
            // SQLite keeps its log next to the file that a link names.
            let real = StorePath.real(store)
            let found = [real, real + "-wal"].map { path in
                var facts = stat()
                // Readers make and remove an empty log: that is no change, and would end all that is kept in memory.
                guard stat(path, &facts) == 0, facts.st_size > 0 else { return Facts() }
                return Facts(
                    device: UInt64(facts.st_dev), file: UInt64(facts.st_ino), size: Int64(facts.st_size),
                    seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec)
            }
            guard found != state.seen else { return }
            state.seen = found
            state.version += 1
        }
    }
}
