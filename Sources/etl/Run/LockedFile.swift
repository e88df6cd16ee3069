import Books
import Bytes
import Foundation
import Pipeline

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

/// Whose the copy of a store is that a dry run works on: a file beside it, locked as long as the run lives. A run that
/// was killed leaves its copy behind without an owner, and the next run on the store removes it.
final class DryRunLock {
    /// Where the copy is.
    let path: String
    private let file: LockedFile

    private static let ending = ".owner"
    /// All that may stand at a copy's path, the owner's file last: as long as it is there the rest is found.
    private static let endings = ["", "-wal", "-shm", "-journal", ".lock", ending]

    /// Takes a name for a copy.
    ///
    /// - Throws: `.cannotCreate` where nothing can be written beside the store.
    init(of store: String) throws(CommandFailure) {
        let prefix = Self.prefix(of: store)
        file = try LockedFile(
            at: { "\(prefix)\(UUID().uuidString.prefix(8).lowercased())\(Self.ending)" },
            orElse: { reason in
                CommandFailure(
                    .cannotCreate, "A copy of the store cannot be made beside it: \(reason).",
                    advice: "Check the folder's permissions and the room on its disk.")
            })
        path = String(file.path.dropLast(Self.ending.count))
    }

    /// Removes the copy with all that stands beside it.
    func remove() { Self.remove(path) }

    deinit { close(file.descriptor) }

    /// Removes the copies of a store whose runs were killed.
    static func removeAbandoned(of store: String) {
        for (path, _) in LockedFile.paths(from: prefix(of: store), ending: ending) {
            LockedFile.removeAbandoned(path) { remove(String($0.dropLast(ending.count))) }
        }
    }

    private static func prefix(of store: String) -> String { StorePath.real(store) + ".dry-run-" }

    private static func remove(_ path: String) { for ending in endings { unlink(path + ending) } }
}
