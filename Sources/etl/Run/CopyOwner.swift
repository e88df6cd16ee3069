import Foundation
import Stages

/// Whose the copy of a store is that a dry run works on: a file beside it, locked as long as the run lives. A run that
/// was killed leaves its copy behind without an owner, and the next run on the store removes it.
final class CopyOwner {
    /// Where the copy is.
    let path: String
    private let descriptor: Int32

    private static let ending = ".owner"
    /// All that may stand at a copy's path, the owner's file last: as long as it is there the rest is found.
    private static let endings = ["", "-wal", "-shm", "-journal", ".lock", ending]

    /// Takes a name for a copy.
    ///
    /// - Throws: `.cannotCreate` where nothing can be written beside the store.
    init(of store: String) throws(CommandFailure) {
        while true {
            let path = "\(Self.prefix(of: store))\(UUID().uuidString.prefix(8).lowercased())"
            let descriptor = open(path + Self.ending, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw CommandFailure(
                    .cannotCreate,
                    "A copy of the store cannot be made beside it: \(String(cString: strerror(errno))).",
                    advice: "Check the folder's permissions and the room on its disk.")
            }
            // Another run may have found the file before it was locked, and taken it for abandoned.
            var facts = stat()
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &facts) == 0,
                facts.st_nlink > 0
            else {
                close(descriptor)
                continue
            }
            (self.path, self.descriptor) = (path, descriptor)
            return
        }
    }

    /// Removes the copy with all that stands beside it.
    func remove() { Self.remove(path) }

    deinit { close(descriptor) }

    /// Removes the copies of a store whose runs were killed.
    static func removeAbandoned(of store: String) {
        let prefix = Self.prefix(of: store)
        let folder = StorePath.folder(of: prefix)
        let beginning = URL(filePath: prefix).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(beginning) && name.hasSuffix(ending) {
            let owner = "\(folder)/\(name)"
            let descriptor = open(owner, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(String(owner.dropLast(ending.count))) }
            close(descriptor)
        }
    }

    private static func prefix(of store: String) -> String { StorePath.real(store) + ".dry-run-" }

    private static func remove(_ path: String) { for ending in endings { unlink(path + ending) } }
}
