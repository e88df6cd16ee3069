import Books
import Glibc
import Syntax
import System

/// Notices that another program changes or truncates a catalog while it is open.
///
/// Replacing a catalog under its name is fine: the open file keeps its content. Overwriting it in place is not:
/// answers would come from a mixture of two catalogs.
struct OpenFileGuard: ~Copyable {
    private let path: String
    private let descriptor: Int32
    private let opened: FileState?

    /// - Parameter path: A file that is open for reading or about to be opened.
    init(_ path: String) {
        self.path = path
        // Opening a pipe to read from it would wait for a writer.
        descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        opened = FileState(openFile: descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Checks that the content is as it was. To be called after reading and before using the bytes read.
    ///
    /// - Throws: `.inputOutput` if it is not.
    func check() throws(ETLError) {
        guard descriptor >= 0, FileState(openFile: descriptor) != opened else { return }
        throw ETLError(
            .inputOutput, "`\(path)` was overwritten by another program while it was open.",
            advice: """
                Nothing that was read from it since then is stored. Run the command again when the file is complete. To \
                replace a catalog at any time, write the new file under another name and rename it, as \
                \(UserCommand.buildCatalog(path: path)) does.
                """)
    }
}
