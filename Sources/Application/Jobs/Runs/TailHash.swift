import Bytes
import Glibc
import Syntax
package import System

/// A digest of the bytes just before a position in the input. It is stored with each checkpoint and compared
/// on resuming.
///
/// It is a fast hash of at most 64 KiB, not a SHA-256 of a MiB, because it is computed at every commit from
/// bytes that were just read. It detects files that were changed, not deliberate collisions. The fingerprint
/// of the file's beginning is a SHA-256 and computed once.
package struct TailHash: Sendable {
    /// Maximum number of bytes before the position that are hashed.
    package static let length: Int64 = 64 * 1024

    private let files: [String]

    /// - Parameter files: Paths of a run's inputs, in order.
    package init(files: [String]) { self.files = files }

    /// The digest; nil if the bytes cannot be read.
    package func digest(before position: Position) -> Int64? {
        guard files.indices.contains(position.file), position.byte >= 0 else { return nil }
        let descriptor = FileSystem.open(ArchivePath.file(of: files[position.file]), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Offsets in a compressed file refer to the decompressed data, so they can be beyond the end of the
        // file.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let end = min(position.byte, Int64(status.st_size))
        let start = max(0, end - Self.length)
        var bytes = [UInt8](repeating: 0, count: Int(end - start))
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
        guard count == bytes.count else { return nil }
        return Int64(bitPattern: KeyHash.hash(bytes))
    }
}
