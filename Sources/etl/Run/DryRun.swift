import Foundation
import Stages

/// The copy of a store that a dry run works on. The store itself is only read.
struct DryRun {
    /// Where the copy is; made by the run itself where there is no store yet.
    let path: String

    /// Copies the store at a path into the folder it is really in, which has room for it or for nothing else either.
    init(of store: String) throws(CommandFailure) {
        path = "\(StorePath.real(store)).dry-run-\(UUID().uuidString.prefix(8).lowercased())"
        guard access(store, F_OK) == 0 else { return }
        do {
            try StoreFile.copy(store, to: path)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Removes the copy with all that stands beside it.
    func remove() {
        for ending in ["", "-wal", "-shm", "-journal", ".lock"] { unlink(path + ending) }
    }
}
