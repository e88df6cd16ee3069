import Foundation
import Pipeline

/// Holds a store for one writer. The system lets go of it when the process ends, however it ends.
///
/// A lock file beside the store, not the store itself: closing any descriptor of a database file would drop the
/// locks SQLite holds on it.
package final class StoreLock: Sendable {
    private let descriptor: Int32

    /// - Parameter pause: Waits a moment between two tries.
    /// - Throws: `.temporary` when another process writes to the store.
    init(store path: String, pausing pause: () -> Void = pause) throws(StageFailure) {
        let lockPath = Self.path(of: path)
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw StoreFile.noFolder(for: path) ?? StoreFile.notCreated(lockPath, code)
        }
        var refusals = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            refusals += 1
            guard refusals <= Self.refusalLimit else {
                let job = Self.name(in: descriptor, at: Self.nameBytes)
                close(descriptor)
                let name = job.isEmpty ? nil : String(decoding: job, as: UTF8.self)
                throw StageFailure(
                    .temporary, "\(path) is being written by another run.",
                    advice: """
                        Wait for it to end (see \(UserCommand.jobs)), or stop it with \
                        \(UserCommand.cancel(job: name)).
                        """
                )
            }
            pause()
        }
        self.descriptor = descriptor
        // What an earlier run had, and what was asked of it, is no matter of this one.
        _ = ftruncate(descriptor, 0)
    }

    /// Somebody who only looks has the lock for less than a moment; who writes has it for long.
    private static let refusalLimit = 10

    /// Waits for ten milliseconds.
    package static func pause() { _ = usleep(10_000) }

    /// The lock file of a store: the same however the store's path is spelled.
    private static func path(of store: String) -> String { StorePath.real(store) + ".lock" }

    // MARK: Looking

    /// Who has a store's lock.
    enum Holder: Sendable, Hashable {
        case nobody
        /// Somebody who runs no job, or has not come to it yet.
        case unnamed
        /// The run of a job.
        case job(String)
    }

    /// Who has the store's lock at this moment.
    static func holder(of store: String) -> Holder {
        let descriptor = open(path(of: store), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .nobody }
        defer { close(descriptor) }
        // A shared lock: those who look do not take each other for a writer.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
            flock(descriptor, LOCK_UN)
            return .nobody
        }
        let name = name(in: descriptor, at: nameBytes)
        return name.isEmpty ? .unnamed : .job(String(decoding: name, as: UTF8.self))
    }

    /// Whether some process holds the store's lock at this moment.
    package static func isHeld(store: String) -> Bool { holder(of: store) != .nobody }

    /// The job that whoever holds the store runs; nil where nobody holds it, or its holder has not come to one yet.
    package static func jobRun(on store: String) -> String? {
        guard case .job(let name) = holder(of: store) else { return nil }
        return name
    }

    // MARK: What the lock file says

    /// Bytes of a name in the lock file: more than any job's name has. The name of the job that is to stop comes first,
    /// then that of the job that is run; each ends with a zero byte.
    private static let nameBytes = 4_096

    /// Tells those who look which job is run from now on.
    ///
    /// It is told for their sake alone, so a disk that takes no more is left to the store to complain of.
    func tell(_ job: String) { _ = Self.write(job, to: descriptor, at: Self.nameBytes) }

    private static func name(in descriptor: Int32, at place: Int) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: nameBytes)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(place)) }
        return bytes.prefix(max(0, count)).prefix { $0 != 0 }
    }

    private static func write(_ name: String, to descriptor: Int32, at place: Int) -> Bool {
        let bytes = Array(name.utf8.prefix(nameBytes - 1)) + [0]
        return pwrite(descriptor, bytes, bytes.count, off_t(place)) == bytes.count
    }

    // MARK: Asking the holder to stop

    /// Asks whoever holds the store to stop a job: the lock file holds the name of the job that is to stop.
    ///
    /// A run writes to its store without a pause, so a request in the store itself could wait for its turn until the
    /// run is over. Here nobody waits.
    static func requestStop(of job: String, store: String) throws(StageFailure) {
        let lockPath = path(of: store)
        let descriptor = open(lockPath, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StageFailure(
                .permission, "\(lockPath) cannot be written: \(String(cString: strerror(errno))).",
                advice: "Stop the run as the user who started it.")
        }
        defer { close(descriptor) }
        guard write(job, to: descriptor, at: 0) else {
            throw StageFailure(
                .inputOutput, "\(lockPath) cannot be written: \(String(cString: strerror(errno))).",
                advice: "Check whether the disk is full.")
        }
    }

    /// Whether somebody asked for a job to stop.
    func isStopRequested(of job: String) -> Bool {
        !job.isEmpty && Self.name(in: descriptor, at: 0).elementsEqual(job.utf8)
    }

    deinit { close(descriptor) }
}
