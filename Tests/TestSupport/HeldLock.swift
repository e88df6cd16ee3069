import Database
import System

/// A lock on a store, held as by another program.
package final class HeldLock: Sendable {
    // Proof: the connection is only used in `withLock`, between lock and unlock.
    private struct Holder: @unchecked Sendable {
        var connection: Connection?
    }

    private let holder = Guarded(Holder())

    package init() {}

    /// Takes the lock; false if it is not available.
    @discardableResult package func take(_ path: String) -> Bool {
        holder.withLock { holder in
            guard let connection = try? Connection(path, .readWrite) else { return false }
            holder.connection = connection
            do { try connection.execute("BEGIN IMMEDIATE") } catch { return false }
            return true
        }
    }

    package func release() { holder.withLock { $0.connection = nil } }
}
