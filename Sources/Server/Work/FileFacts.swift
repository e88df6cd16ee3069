import Database
import Glibc
import Syntax
import System

/// What tells one content of a file from another without reading it: which file it is, and its state. A file that was
/// replaced differs even if size and time are the same.
struct FileFacts: Sendable, Hashable {
    private let identity: SidecarFile.Identity
    private let state: FileState

    /// Nil if there is no file.
    init?(of path: String) {
        var facts = stat()
        guard FileSystem.stat(path, &facts) == 0 else { return nil }
        identity = SidecarFile.Identity(facts)
        state = FileState(facts)
    }

    /// Size in bytes.
    var size: Int64 { state.size }
}
