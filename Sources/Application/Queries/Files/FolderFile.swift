import Glibc
package import System

/// A file that is written from its start to its end.
package final class FolderFile {
    /// Approximate number of bytes that are written at once.
    package static let pieceBytes = 256 * 1_024

    private let path: String
    private let descriptor: Int32

    package init(_ path: String) throws(ETLError) {
        self.path = path
        descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw ETLError(
                .cannotCreate, "`\(path)` cannot be created: \(String(cString: strerror(errno))).",
                advice: "Specify another folder, or check its permissions.")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func write(_ bytes: [UInt8]) throws(ETLError) {
        let (written, code) = DescriptorWriter.writeAll(bytes, to: descriptor)
        guard written == bytes.count else { throw Self.failure(path, code) }
    }

    /// The failure to write a file of a folder.
    ///
    /// - Parameter code: The system's error number.
    package static func failure(_ path: String, _ code: Int32) -> ETLError {
        ETLError(
            .inputOutput, "`\(path)` cannot be written: \(String(cString: strerror(code))).",
            advice: "Free some space, or specify another folder.")
    }
}
