import Glibc

/// Writes to open files.
package enum DescriptorWriter {
    /// Writes all bytes, also if the system is interrupted or takes only a part of them at once.
    ///
    /// - Parameter descriptor: A file that is open for writing and blocks.
    /// - Returns: How many bytes were written, and the system's error number if that is not all of them; else 0.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> (count: Int, code: Int32) {
        bytes.withUnsafeBytes { all in
            var written = 0
            while written < all.count {
                let count = write(descriptor, all.baseAddress?.advanced(by: written), all.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return (written, errno) }
                written += count
            }
            return (written, 0)
        }
    }
}
