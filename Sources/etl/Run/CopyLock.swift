import Books
import Foundation
import Pipeline

/// Whose the copy of a store is that a dry run works on: a file beside it, locked as long as the run lives. A run that
/// was killed leaves its copy behind without an owner, and the next run on the store removes it.
final class CopyLock {
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
