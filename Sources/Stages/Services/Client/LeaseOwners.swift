import Foundation
import Pipeline

/// Which of the processes that share the state of pace are still there.
///
/// Each holds a lock on one byte of a file, far out and its own. The system lets go of it when the process ends, however
/// it ends, so nobody waits for calls that a killed process had under way. (Locks of the open file description,
/// fcntl(2): two views in one process are two owners.)
final class LeaseOwners: Sendable {
    /// The byte that is held.
    let own: Int64
    private let descriptor: Int32

    /// - Throws: Where the file cannot be made.
    init(_ path: String) throws(StageFailure) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        own = Int64.random(in: 1...Int64.max - 1)
        guard descriptor >= 0 else {
            throw StageFailure(
                .cannotCreate, "\(path) cannot be created: \(String(cString: strerror(errno))).",
                advice: "Set XDG_STATE_HOME to a folder of yours.")
        }
        var lock = Self.lock(own)
        _ = fcntl(descriptor, Self.set, &lock)
    }

    deinit { close(descriptor) }

    /// Does something while no other owner does, and waits for those who do.
    func alone<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // Byte 0 is nobody's own.
        var lock = Self.lock(0)
        while fcntl(descriptor, Self.setWaiting, &lock) != 0, errno == EINTR {}
        defer {
            lock.l_type = Int16(F_UNLCK)
            _ = fcntl(descriptor, Self.set, &lock)
        }
        return try body()
    }

    /// Whether an owner has ended; false where that cannot be known.
    func isGone(_ owner: Int64) -> Bool {
        guard owner > 0, owner != own else { return false }
        var lock = Self.lock(owner)
        return fcntl(descriptor, Self.get, &lock) == 0 && lock.l_type == Int16(F_UNLCK)
    }

    /// F_OFD_GETLK, F_OFD_SETLK and F_OFD_SETLKW, which the C library shows only to those who ask for them.
    private static let get: Int32 = 36
    private static let set: Int32 = 37
    private static let setWaiting: Int32 = 38

    private static func lock(_ owner: Int64) -> flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(owner)
        lock.l_len = 1
        return lock
    }
}
