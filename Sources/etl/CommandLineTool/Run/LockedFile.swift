import Database
import FoundationEssentials
import Glibc
import Store
import System

/// A file next to a store that belongs to this process and is locked while the process lives. A killed
/// process leaves it behind unlocked, so other processes know that it is no longer needed.
struct LockedFile {
    let path: String
    /// Open for writing. The lock lasts until this descriptor and all its duplicates are closed.
    let descriptor: Int32

    /// Creates a new file that only the user can read.
    ///
    /// - Parameters:
    ///   - path: Proposes a path, a different one on each call.
    ///   - lock: Locks an open file; returns false and sets `errno` if it fails.
    ///   - refusal: The error if the file cannot be created, given the system's reason.
    init<Failure: Error>(
        at path: () -> String, lockedBy lock: (Int32) -> Bool = { flock($0, LOCK_EX | LOCK_NB) == 0 },
        orElse refusal: (_ reason: String) -> Failure
    ) throws(Failure) {
        while true {
            let path = path()
            let descriptor = FileSystem.open(
                path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw refusal(String(cString: strerror(errno))) }
            let isLocked = lock(descriptor)
            guard isLocked || errno == EWOULDBLOCK else {
                // The file system has no locks, so another name would not help.
                let reason = String(cString: strerror(errno))
                close(descriptor)
                FileSystem.unlink(path)
                throw refusal(reason)
            }
            // Another run may have found the file before it was locked, taken it for abandoned and removed
            // it.
            var facts = stat()
            if isLocked, fstat(descriptor, &facts) == 0, facts.st_nlink > 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    /// Paths with a common beginning and ending, and the part in between.
    static func paths(from start: String, ending: String) -> [(path: String, middle: Substring)] {
        let folder = FolderPath.of(start)
        let beginning = FolderPath.lastName(start)
        return (Folder.names(in: folder) ?? []).compactMap { name in
            FileName.middle(of: name, from: beginning, to: ending).map { ("\(folder)/\(name)", $0) }
        }
    }

    /// Removes a file, and the files that belong to it, if no living process owns it.
    static func removeAbandoned(_ path: String, by remove: (String) -> Void) {
        guard let descriptor = try? SidecarFile.open(path, O_RDONLY) else { return }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
        close(descriptor)
    }
}

/// Marks the copy of a store that a dry run works on as owned: a file next to the copy, locked while the run
/// lives. If a run is killed, its copy has no owner, and the next run on the store removes it.
final class DryRunLock {
    /// The path of the copy.
    let path: String
    private let file: LockedFile

    private static let ending = ".owner"
    /// Number of hexadecimal digits in a copy's name.
    private static let nameLength = 8
    /// The endings of all files of a copy. The owner's file is last: while it exists, the others are found.
    private static let endings = StoreFile.endings + [ending]

    /// Reserves a name for a copy.
    ///
    /// - Throws: `.cannotCreate` if no file can be created next to the store.
    init(of store: String) throws(CommandFailure) {
        let prefix = Self.prefix(of: store)
        file = try LockedFile(
            at: { "\(prefix)\(UUID().uuidString.prefix(Self.nameLength).lowercased())\(Self.ending)" },
            orElse: { reason in
                CommandFailure(
                    .cannotCreate, "The store cannot be copied for the dry run: \(reason).",
                    advice: "Check the permissions of the store's folder and the free space on its disk.")
            })
        path = String(file.path.dropLast(Self.ending.count))
    }

    /// Removes the copy and all its files.
    func remove() { Self.remove(path) }

    deinit { close(file.descriptor) }

    /// Removes the copies of a store whose runs were killed.
    static func removeAbandoned(of store: String) {
        for (path, name) in LockedFile.paths(from: prefix(of: store), ending: ending)
        where name.count == nameLength && name.allSatisfy(\.isHexDigit) {
            LockedFile.removeAbandoned(path) { remove(String($0.dropLast(ending.count))) }
        }
    }

    private static func prefix(of store: String) -> String { StorePath.real(store) + ".dry-run-" }

    private static func remove(_ path: String) { for ending in endings { FileSystem.unlink(path + ending) } }
}
