import CSQLite
import Dispatch
import Glibc
import System

/// Asks the system to write a database's changed pages to disk early. The commit, which waits for the disk,
/// then finds most of them already written.
///
/// This is only a hint; nothing depends on it. It uses SQLite's own descriptor of the file, because closing
/// another descriptor of the same file would drop SQLite's locks.
package final class EarlyWriteback {
    /// SQLite's descriptor of the file; nil if there is none.
    let descriptor: Int32?
    /// Whether a hint is under way. There is one at a time.
    private let isPending = Guarded(false)
    private let queue = DispatchQueue(label: "etl.early-writing")

    /// - Parameter connection: If it is closed before the last hint, that hint has no effect, or another file
    ///   is written a little earlier than otherwise.
    package init(_ connection: Connection) { descriptor = Self.descriptor(of: connection.path) }

    /// Starts writing the pages that SQLite has passed to the system so far.
    package func begin() {
        guard let descriptor else { return }
        let isFirst = isPending.withLock { pending in
            defer { pending = true }
            return !pending
        }
        guard isFirst else { return }
        queue.async { [isPending] in
            etl_begin_writing(descriptor)
            isPending.withLock { $0 = false }
        }
    }

    /// A descriptor of this process for a file; nil if there is none.
    private static func descriptor(of path: String) -> Int32? {
        var file = stat()
        guard FileSystem.stat(path, &file) == 0 else { return nil }
        let descriptors = Folder.names(in: "/proc/self/fd") ?? []
        return descriptors.compactMap { Int32($0) }.first { descriptor in
            var open = stat()
            return fstat(descriptor, &open) == 0 && open.st_ino == file.st_ino && open.st_dev == file.st_dev
        }
    }
}
