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
    /// Whether the running job has found the disk full, and waits for room.
    package var waitsForRoom: Bool

    package init(freeBytes: Int?, isWritable: Bool, oldestWait: Int, waitsForRoom: Bool = false) {
        self.waitsForRoom = waitsForRoom
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
        if waitsForRoom { return "A job waits for room on the store's disk." }
        if let freeBytes, freeBytes < limits.freeBytes { return "The store's disk is almost full." }
        if oldestWait > limits.wait { return "A job has waited too long for its turn." }
        return nil
    }
}

extension Readiness {
    /// Bytes that a store's disk has left; nil if the system does not say.
    static func freeBytes(beside store: String) -> Int? {
        var disk = statvfs()
        guard FileSystem.statvfs(FolderPath.of(StorePath.real(store)), &disk) == 0 else { return nil }
        return Int(clamping: disk.f_bavail &* disk.f_frsize)
    }
}

extension Backend {
    /// Asks the system and the queue.
    package var readiness: Readiness {
        let store = StorePath.real(settings.store)
        let folder = FolderPath.of(store)
        let isWritable =
            FileSystem.access(folder, W_OK) == 0
            && (FileSystem.access(store, F_OK) != 0 || FileSystem.access(store, W_OK) == 0)
        let oldest = jobs.oldestWaiting.map { (clock.epochMilliseconds() - $0) / 1_000 } ?? 0
        return Readiness(
            freeBytes: Readiness.freeBytes(beside: store), isWritable: isWritable,
            oldestWait: Int(max(0, oldest)), waitsForRoom: jobs.waitsForRoom)
    }
}
