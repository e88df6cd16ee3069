package import Pipeline

#if canImport(Glibc)
package import Glibc
#else
import Musl
#endif

/// What a file was at some moment, as far as can be told without reading it: one that was written to since has another
/// state.
///
/// The file's number is no part of it: what is shared over a network may give the same file another one at any moment.
package struct FileState: Sendable, Hashable {
    /// In bytes.
    package let size: Int64
    /// When it was last written to, in nanoseconds since 1970.
    package let modified: Int64

    package init(_ status: stat) {
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// The state of what lies at a path; nil where nothing does.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Makes sure that a file is what it was. One that is gone is: whoever has it open still reads it.
    ///
    /// - Throws: `unusableInput` where it was written to, or another one has taken its place.
    package func check(_ path: String, advice: UserText) throws(StageFailure) {
        guard let now = FileState(of: path), now != self else { return }
        throw Self.changed(
            path, now.size == size ? "it was written to" : "it had \(size) bytes, and has \(now.size) now",
            advice: advice)
    }

    /// The failure of who reads a file that is not what it was.
    package static func changed(_ path: String, _ evidence: String, advice: UserText) -> StageFailure {
        StageFailure(.unusableInput, "\(path) changed while it was read: \(evidence).", advice: advice)
    }

    /// What to do where nothing was kept of it.
    package static let adviceToStartOver: UserText =
        "Run the command again when no other program is writing to the file."
}
