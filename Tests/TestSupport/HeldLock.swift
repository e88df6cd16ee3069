import Database
import Pipeline

/// A store's lock as another program holds it.
package final class HeldLock: Sendable {
    // The connection is touched in `withLock` alone, between lock and unlock.
    private struct Holder: @unchecked Sendable {
        var connection: Connection?
    }

    private let holder = Guarded(Holder())

    package init() {}

    /// Takes the lock; false where it cannot be had.
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
