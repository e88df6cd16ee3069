import Foundation
import Pipeline

/// Holds a store for one writer. The system lets go of it when the process ends, however it ends.
///
/// A lock file beside the store, not the store itself: closing any descriptor of a database file would drop the
/// locks SQLite holds on it.
package final class StoreLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `.temporary` when another process writes to the store.
    init(store path: String) throws(StageFailure) {
        let lockPath = path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StageFailure(
                errno == EACCES || errno == EROFS ? .permission : .cannotCreate,
                "\(lockPath) cannot be created: \(String(cString: strerror(errno))).",
                advice: "Check the folder's permissions, or name another store with --db.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StageFailure(
                .temporary, "\(path) is being written by another run.",
                advice: "Wait for it to end (`etl jobs` shows it), or stop it with `etl cancel`.")
        }
        self.descriptor = descriptor
    }

    /// Whether some process holds the store's lock at this moment.
    package static func isHeld(store path: String) -> Bool {
        let descriptor = open(path + ".lock", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
        flock(descriptor, LOCK_UN)
        return false
    }

    deinit { close(descriptor) }
}
