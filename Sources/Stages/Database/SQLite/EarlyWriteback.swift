import CSQLite
import Dispatch
import Foundation
import Pipeline

/// Has the system write a database's changed pages to disk while others are made: the commit that waits for the disk
/// then finds most of them there.
///
/// A hint, and nothing depends on it. It is given on SQLite's own descriptor of the file: to close another one of the same
/// file would drop the locks that SQLite holds on it.
package final class EarlyWriteback {
    /// SQLite's own, or nil where there is none.
    let descriptor: Int32?
    /// One hint at a time: what comes meanwhile is in the next one.
    private let isPending = Guarded(false)
    private let queue = DispatchQueue(label: "etl.early-writing")

    /// - Parameter connection: Should it be closed before the last hint was taken, that one goes nowhere, or to a file that
    ///   is written a little earlier than it would have been.
    package init(_ connection: Connection) { descriptor = Self.descriptor(of: connection.path) }

    /// Begins to write what SQLite has given to the system so far.
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

    /// A descriptor that this process has of a file; nil where it has none.
    private static func descriptor(of path: String) -> Int32? {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap { Int32($0) }.first { descriptor in
            var open = stat()
            return fstat(descriptor, &open) == 0 && open.st_ino == file.st_ino && open.st_dev == file.st_dev
        }
    }
}
