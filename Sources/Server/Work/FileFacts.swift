import Glibc
import System

/// What tells one content of a file from another without reading it.
struct FileFacts: Sendable, Hashable {
    private let device: UInt64
    private let file: UInt64
    /// Size in bytes.
    let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil if there is no file.
    init?(of path: String) {
        var facts = stat()
        guard FileSystem.stat(path, &facts) == 0 else { return nil }
        device = UInt64(facts.st_dev)
        file = UInt64(facts.st_ino)
        size = Int64(facts.st_size)
        seconds = facts.st_mtim.tv_sec
        nanoseconds = facts.st_mtim.tv_nsec
    }
}
