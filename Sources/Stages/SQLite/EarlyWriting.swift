import CSQLite
import Dispatch
import Foundation

/// Has the system write a database's changed pages to disk while others are made: the commit that waits for the disk
/// then finds most of them there.
///
/// A hint, and nothing depends on it. It is given on SQLite's own descriptor of the file: to close another one of the same
/// file would drop the locks that SQLite holds on it.
final class EarlyWriting {
    private let descriptor: Int32?
    private let queue = DispatchQueue(label: "etl.early-writing")

    /// - Parameter connection: Open as long as the hints are given.
    init(_ connection: Connection) { descriptor = Self.descriptor(of: connection.path) }

    /// Begins to write what SQLite has given to the system so far.
    func begin() {
        guard let descriptor else { return }
        queue.async { etl_begin_writing(descriptor) }
    }

    /// A descriptor that this process has of a file; nil where it has none.
    private static func descriptor(of path: String) -> Int32? {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        return (0..<1_024 as Range<Int32>).first { descriptor in
            var open = stat()
            return fstat(descriptor, &open) == 0 && open.st_ino == file.st_ino && open.st_dev == file.st_dev
        }
    }
}
