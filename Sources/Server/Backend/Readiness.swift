import Glibc
import Store
import System

/// Whether a server can do its work, apart from reading: room on the disk, a store that can be written, a queue that
/// moves.
package struct Readiness: Sendable, Hashable {
    /// Bytes that the store's disk has left; nil if the system does not say.
    package var freeBytes: Int?
    /// Whether the system lets this process change the store and the files next to it.
    package var isWritable: Bool
    /// Seconds since the oldest job that waits was accepted; 0 if none waits.
    package var oldestWait: Int

    package init(freeBytes: Int?, isWritable: Bool, oldestWait: Int) {
        self.freeBytes = freeBytes
        self.isWritable = isWritable
        self.oldestWait = oldestWait
    }

    /// Limits of a server that is ready.
    package struct Limits: Sendable, Hashable {
        /// Bytes that the disk must have left.
        package var freeBytes = 256 << 20
        /// Seconds that a job may wait.
        package var wait = 6 * 3_600

        package init() {}
    }

    /// What is missing, as a sentence; nil if nothing is.
    package func problem(_ limits: Limits = Limits()) -> String? {
        if !isWritable { return "The store or its folder cannot be written." }
        if let freeBytes, freeBytes < limits.freeBytes { return "The store's disk is almost full." }
        if oldestWait > limits.wait { return "A job has waited too long for its turn." }
        return nil
    }
}

extension Backend {
    /// Asks the system and the queue.
    package var readiness: Readiness {
        let store = StorePath.real(settings.store)
        let folder = FolderPath.of(store)
        var disk = statvfs()
        let isKnown = FileSystem.statvfs(folder, &disk) == 0
        let isWritable =
            FileSystem.access(folder, W_OK) == 0
            && (FileSystem.access(store, F_OK) != 0 || FileSystem.access(store, W_OK) == 0)
        let oldest = jobs.oldestWaiting.map { (clock.epochMilliseconds() - $0) / 1_000 } ?? 0
        return Readiness(
            freeBytes: isKnown
                ? Int(clamping: disk.f_bavail &* disk.f_frsize) : nil,
            isWritable: isWritable, oldestWait: Int(max(0, oldest)))
    }
}
