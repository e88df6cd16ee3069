import Bytes
import Foundation

/// A file beside a store that is this process's own, locked as long as the process lives. Whoever is killed leaves it
/// behind without a lock: so others know that nobody needs it any more.
struct LockedFile {
    let path: String
    /// Open for writing, and locked until it and all its duplicates are closed.
    let descriptor: Int32

    /// Makes a new file that nobody else may read.
    ///
    /// - Parameters:
    ///   - path: Proposes where, another place each time.
    ///   - lock: Locks an open file, or says why not by `errno`.
    ///   - refusal: What is thrown where it cannot be made, given the system's reason.
    init(
        at path: () -> String, lockedBy lock: (Int32) -> Bool = { flock($0, LOCK_EX | LOCK_NB) == 0 },
        orElse refusal: (_ reason: String) -> CommandFailure
    ) throws(CommandFailure) {
        while true {
            let path = path()
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw refusal(String(cString: strerror(errno))) }
            let isLocked = lock(descriptor)
            guard isLocked || errno == EWOULDBLOCK else {
                // Some file systems have no locks: no other place would do better.
                let reason = String(cString: strerror(errno))
                close(descriptor)
                unlink(path)
                throw refusal(reason)
            }
            // Another run may have found the file before it was locked, taken it for abandoned and removed it.
            var facts = stat()
            if isLocked, fstat(descriptor, &facts) == 0, facts.st_nlink > 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    /// Paths that begin and end in a way, with what stands between.
    static func paths(from start: String, ending: String) -> [(path: String, middle: Substring)] {
        let folder = FolderPath.of(start)
        let beginning = URL(filePath: start).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            guard name.count >= beginning.count + ending.count, name.hasPrefix(beginning),
                name.hasSuffix(ending)
            else { return nil }
            return ("\(folder)/\(name)", name.dropFirst(beginning.count).dropLast(ending.count))
        }
    }

    /// Removes a file, and what belongs to it, where no process that lives owns it.
    static func removeAbandoned(_ path: String, by remove: (String) -> Void) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
        close(descriptor)
    }
}
