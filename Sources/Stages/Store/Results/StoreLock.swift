import Books
import Database
import FoundationEssentials
import Glibc
package import System

/// Admits one writer to a store. The system releases the lock when the process ends, however it ends.
///
/// The lock is on a file next to the store. It cannot be on the store itself: closing any descriptor of a
/// database file would drop SQLite's own locks on it.
package final class StoreLock: Sendable {
    private let descriptor: Int32

    /// - Parameter pause: Waits briefly between two attempts.
    /// - Throws: `.temporary` if another process is writing to the store.
    package init(store path: String, pausing pause: () -> Void = pause) throws(ETLError) {
        if let refusal = StoreFile.refusal(of: path) ?? StoreFile.refusalToMake(path) { throw refusal }
        let lockPath = Self.path(of: path)
        guard let descriptor = try SidecarFile.open(lockPath, O_RDWR | O_CREAT) else {
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
                throw ETLError(
                    .temporary, "`\(path)` is in use by another etl process.",
                    advice: """
                        Wait for it to end (see \(UserCommand.jobs)), or stop it with \
                        \(UserCommand.cancel(job: name)).
                        """
                )
            }
            pause()
        }
        guard Self.isLock(descriptor) else {
            close(descriptor)
            throw SidecarFile.refusal(lockPath, "is not a lock file of etl")
        }
        self.descriptor = descriptor
        // Clears the job name and stop request of an earlier run.
        _ = ftruncate(descriptor, 0)
    }

    /// A process that only checks the lock holds it for a moment; a writer holds it for long.
    private static let refusalLimit = 10

    /// Waits for 10 milliseconds.
    package static func pause() { _ = usleep(10_000) }

    /// The path of a store's lock file, the same for all spellings of the store's path.
    private static func path(of store: String) -> String { StorePath.real(store) + ".lock" }

    // MARK: Checking the lock

    /// The holder of a store's lock.
    enum Holder: Sendable, Hashable {
        case noOne
        /// A process that runs no job, or has not started it yet.
        case unnamed
        /// A run of this job.
        case job(String)
    }

    /// The current holder of a store's lock.
    static func holder(of store: String) -> Holder {
        guard let descriptor = try? SidecarFile.open(path(of: store), O_RDONLY) else {
            return .noOne
        }
        defer { close(descriptor) }
        // A shared lock, so that processes that only check do not look like writers to each other.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
            flock(descriptor, LOCK_UN)
            return .noOne
        }
        let name = name(in: descriptor, at: nameBytes)
        return name.isEmpty ? .unnamed : .job(String(decoding: name, as: UTF8.self))
    }

    /// Whether a process currently holds the store's lock.
    package static func isHeld(store: String) -> Bool { holder(of: store) != .noOne }

    /// The job run by the lock's holder; nil if there is no holder or it has not started a job yet.
    package static func jobRun(on store: String) -> String? {
        guard case .job(let name) = holder(of: store) else { return nil }
        return name
    }

    // MARK: Contents of the lock file

    /// Bytes per name in the lock file; job names are shorter. First comes the name of the job that must
    /// stop, then the name of the running job and its progress. Each ends with a zero byte.
    private static let nameBytes = 4_096

    /// Whether a file has what a lock file can have: nothing, or texts that each end with a zero byte. Other files
    /// are not emptied. A power failure can take the end of the last text, but not of the one before.
    private static func isLock(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 2 * nameBytes + 1)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return count == 0 }
        return count <= 2 * nameBytes && bytes[(count > nameBytes ? nameBytes : count) - 1] == 0
            && !bytes.prefix(count).contains { (1..<0x20).contains($0) }
    }

    /// Writes the name of the running job for other processes to read.
    ///
    /// Errors are ignored: a full disk is reported when the store is written.
    package func writeJobName(_ job: String) { _ = Self.write(job, to: descriptor, at: Self.nameBytes) }

    /// Offset of the running job's progress, after its name.
    private static let progressPlace = nameBytes + 1_024

    /// Writes how far the running job is, for other processes to read. Errors are ignored.
    package func write(_ progress: RunProgress) {
        _ = Self.write(progress.text, to: descriptor, at: Self.progressPlace)
    }

    /// Progress of the lock holder's job; nil if there is no holder, or it has not stated any yet.
    package static func progress(of job: String, on store: String) -> RunProgress? {
        guard holder(of: store) == .job(job),
            let descriptor = try? SidecarFile.open(path(of: store), O_RDONLY)
        else { return nil }
        defer { close(descriptor) }
        return RunProgress(String(decoding: name(in: descriptor, at: progressPlace), as: UTF8.self))
    }

    private static func name(in descriptor: Int32, at place: Int) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: nameBytes)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(place)) }
        return bytes.prefix(max(0, count)).prefix { $0 != 0 }
    }

    private static func write(_ name: String, to descriptor: Int32, at place: Int) -> Bool {
        let bytes = Array(name.utf8.prefix(nameBytes - 1)) + [0]
        return pwrite(descriptor, bytes, bytes.count, off_t(place)) == bytes.count
    }

    // MARK: Stopping the holder

    /// Asks the holder to stop a job by writing the job's name to the lock file.
    ///
    /// A run writes to its store continuously, so a request in the store itself might not get a turn before
    /// the run is over. Writing to the lock file does not wait.
    static func requestStop(of job: String, store: String) throws(ETLError) {
        let lockPath = path(of: store)
        guard let descriptor = try SidecarFile.open(lockPath, O_WRONLY) else {
            throw ETLError(
                .permission, "Cannot write `\(lockPath)`: \(String(cString: strerror(errno))).",
                advice: "Only the user who started the run can stop it.")
        }
        defer { close(descriptor) }
        guard write(job, to: descriptor, at: 0) else {
            throw ETLError(
                .inputOutput, "Cannot write `\(lockPath)`: \(String(cString: strerror(errno))).",
                advice: "Check whether the disk is full.")
        }
    }

    /// Whether the job is to be canceled.
    package func isCancelRequested(of job: String) -> Bool {
        !job.isEmpty && Self.name(in: descriptor, at: 0).elementsEqual(job.utf8)
    }

    deinit { close(descriptor) }
}

/// Progress of a running job, as its process states it.
package struct RunProgress: Sendable, Hashable {
    /// Records that are finished: stored, and not waiting for services.
    package var done: Int
    /// Seconds until the rest is finished; nil if unknown.
    package var secondsLeft: Int?

    package init(done: Int, secondsLeft: Int? = nil) {
        self.done = done
        self.secondsLeft = secondsLeft
    }

    /// `153 81`, or `153` without the time left.
    fileprivate var text: String {
        ([done] + [secondsLeft].compactMap { $0 }).map(String.init).joined(separator: " ")
    }

    /// Nil for any other text: it may be half written.
    fileprivate init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Int($0) }
        guard (1...2).contains(numbers.count), let done = numbers[0], done >= 0 else { return nil }
        self.done = done
        secondsLeft = numbers.count == 2 ? numbers[1].flatMap { $0 >= 0 ? $0 : nil } : nil
    }
}
