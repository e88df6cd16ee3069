package import System

#if canImport(Glibc)
package import Glibc
#else
import Musl
#endif

/// A file's state at some moment, as far as it can be determined without reading the file. A file that was
/// modified since has a different state.
///
/// The inode number is not part of it: a network share may give the same file a new one at any time.
package struct FileState: Sendable, Hashable {
    /// In bytes.
    package let size: Int64
    /// Time of the last modification, in nanoseconds since 1970.
    package let modified: Int64

    package init(_ status: stat) {
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// The state of the file at a path; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard FileSystem.stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The state of an open file; nil if the descriptor is not one of an open file.
    package init?(openFile descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Checks that a file has not changed. A deleted file counts as unchanged: a process that has it open can
    /// still read it.
    ///
    /// - Throws: `unusableInput` if it was modified or replaced.
    package func check(_ path: String, advice: UserText) throws(ETLError) {
        guard let now = FileState(of: path), now != self else { return }
        throw Self.changed(
            path, now.size == size ? "it was modified" : "it had \(size) bytes and now has \(now.size)",
            advice: advice)
    }

    /// The failure for a file that changed while it was read.
    package static func changed(_ path: String, _ evidence: String, advice: UserText) -> ETLError {
        ETLError(.unusableInput, "`\(path)` changed while it was read: \(evidence).", advice: advice)
    }

    /// Advice if nothing was stored from the file.
    package static let adviceToStartOver: UserText =
        "Run the command again when no other program is writing to the file."
}
