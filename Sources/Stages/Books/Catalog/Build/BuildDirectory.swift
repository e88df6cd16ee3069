import Bytes
import Foundation
package import Pipeline

/// The files a catalog is built in, beside the file it becomes: nobody sees a half catalog, and two builds of
/// one catalog cannot meet.
///
/// A build that was stopped or killed leaves its files behind for the next one, which goes on with them or takes
/// them away. The lock goes with its process.
package struct BuildDirectory: ~Copyable {
    /// The catalog to be.
    package let output: String
    /// The catalog while it is written.
    package var building: String { output + ".building" }
    /// Where records wait.
    package var staging: String { output + ".staging" }
    /// The full-text index while it is written beside the rest.
    package var index: String { output + ".index" }

    private var lockPath: String { output + ".lock" }
    private let lock: Int32

    /// Takes the place.
    ///
    /// - Throws: ``StageFailure/Kind/temporary`` where another build is at work on the same catalog,
    ///   ``StageFailure/Kind/cannotCreate`` where its folder cannot be written.
    package init(output: String) throws(StageFailure) {
        self.output = output
        lock = try Self.takeLock(output + ".lock", output)
    }

    deinit {
        unlink(lockPath)
        close(lock)
    }

    /// Puts the finished catalog in its place, on the disk for good.
    package borrowing func publish() throws(StageFailure) {
        try Self.synchronize(building)
        guard rename(building, output) == 0 else {
            throw StageFailure(.cannotCreate, "\(output) cannot be replaced: \(Self.reason).")
        }
        try Self.synchronize(FolderPath.of(output))
        discard()
    }

    /// Whether a build left its files behind.
    package var isStarted: Bool { access(building, F_OK) == 0 && access(staging, F_OK) == 0 }

    /// Takes away what a build left behind.
    package borrowing func discard() {
        for path in [building, staging, index] { Self.remove(path) }
    }

    /// Takes away a database, if it is there, and what a kill left beside it.
    static func remove(_ path: String) {
        unlink(path)
        unlink(path + "-journal")
        // A commit over several files has a journal of its own, under a name that SQLite makes up.
        let folder = FolderPath.of(path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let prefix = "\(path.split(separator: "/").last ?? "")-mj"
        for name in names where name.hasPrefix(prefix) { unlink("\(folder)/\(name)") }
    }

    private static func takeLock(_ path: String, _ output: String) throws(StageFailure) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw StageFailure(
                    .cannotCreate, "\(output) cannot be created: \(reason).",
                    advice: "Check that its folder exists and can be written.")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw StageFailure(
                    .temporary, "Another build of \(output) is running.",
                    advice: "Wait for it to end, or choose another file with \(UserSetting.output).")
            }
            // The build before may have taken the file away between our opening and our locking it.
            var opened = stat()
            var named = stat()
            if fstat(descriptor, &opened) == 0, stat(path, &named) == 0, opened.st_ino == named.st_ino {
                return descriptor
            }
            close(descriptor)
        }
    }

    private static func synchronize(_ path: String) throws(StageFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw StageFailure(
                .inputOutput, "\(path) cannot be written to disk: \(reason).",
                advice: "Check the disk, then build again.")
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
