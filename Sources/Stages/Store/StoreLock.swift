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

    // MARK: Asking the holder to stop

    /// Bytes of a request that are looked at: more than any job's name has.
    private static let requestBytes = 4_096

    /// Asks whoever holds the store to stop a job: the lock file holds the name of the job that is to stop.
    ///
    /// A run writes to its store without a pause, so a request in the store itself could wait for its turn until the
    /// run is over. Here nobody waits.
    static func requestStop(of job: String, store path: String) throws(StageFailure) {
        let descriptor = open(path + ".lock", O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StageFailure(
                .permission, "\(path).lock cannot be written: \(String(cString: strerror(errno))).",
                advice: "Stop the run as the user who started it.")
        }
        defer { close(descriptor) }
        let name = Array(job.utf8)
        guard write(descriptor, name, name.count) == name.count else {
            throw StageFailure(
                .inputOutput, "\(path).lock cannot be written: \(String(cString: strerror(errno))).",
                advice: "Check whether the disk is full.")
        }
    }

    /// Whether somebody asked for a job to stop.
    func isStopRequested(of job: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.requestBytes)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 && bytes.prefix(count).elementsEqual(job.utf8)
    }

    /// Forgets what was asked of an earlier run.
    func forgetRequests() { _ = ftruncate(descriptor, 0) }

    deinit { close(descriptor) }
}
