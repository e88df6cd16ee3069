import CommandLineTool
import Glibc
import System

/// The file that an access log is written to. It can be opened again, after it was renamed for rotation.
final class LogFile: Sendable {
    private let path: String
    private let descriptor: Guarded<Int32>

    /// Opens a file, or creates it for its owner only. Lines are added at its end.
    ///
    /// - Parameter path: `-` for standard output.
    /// - Throws: `.cannotCreate` if it cannot be written.
    init(_ path: String) throws(ETLError) {
        self.path = path
        descriptor = Guarded(try Self.open(path))
    }

    private static func open(_ path: String) throws(ETLError) -> Int32 {
        guard path != "-" else { return STDOUT_FILENO }
        let descriptor = WritableFile.open(path, O_CREAT | O_APPEND, mode: 0o600)
        guard descriptor >= 0 else {
            throw ETLError(
                .cannotCreate, "The log `\(path)` cannot be written: \(WritableFile.reason).",
                advice: "Check the folder's permissions.")
        }
        return descriptor
    }

    /// Opens the path again. Until that has succeeded, lines go into the former file.
    func reopen() throws(ETLError) {
        guard path != "-" else { return }
        let new = try Self.open(path)
        // With the lock held nothing is written to the descriptor that is closed.
        descriptor.withLock { descriptor in
            close(descriptor)
            descriptor = new
        }
    }

    /// Writes lines. Requests are answered whether they can be logged or not.
    func write(_ bytes: [UInt8]) {
        descriptor.withLock { _ = DescriptorWriter.writeAll(bytes, to: $0) }
    }

    deinit { if path != "-" { close(descriptor.withLock { $0 }) } }
}
