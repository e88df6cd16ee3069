import Bytes
import Foundation
package import Pipeline

/// A digest of the bytes just before a position in the input: kept with each checkpoint, compared on resuming.
///
/// It is a hash of at most 64 KiB, not SHA-256 of a whole MiB: it is taken at every commit, of bytes that were read a
/// moment ago, and guards against a file that was changed, not against somebody who wants two to look alike. The
/// fingerprint of the head is SHA-256 and taken once.
package struct TailHash: Sendable {
    /// Bytes before the position that are hashed at the most.
    package static let length: Int64 = 64 * 1024

    private let files: [String]

    /// - Parameter files: Paths of a run's inputs, in their order.
    package init(files: [String]) { self.files = files }

    /// The digest; nil where the bytes cannot be read.
    package func digest(before position: Position) -> Int64? {
        guard files.indices.contains(position.file) else { return nil }
        let descriptor = open(files[position.file], O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Offsets in a packed file are those of what it unpacks to, and may lie beyond its end.
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
