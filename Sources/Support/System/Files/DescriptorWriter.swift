import Glibc

/// Writes to open files, and to the disk.
package enum DescriptorWriter {
    /// Writes all bytes, also if the system is interrupted or takes only a part of them at once.
    ///
    /// - Parameter descriptor: A file that is open for writing and blocks.
    /// - Returns: Number of bytes written, and the system's error number if that is not all of them; else 0.
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

    /// Flushes a file or folder to the disk.
    ///
    /// - Parameter flags: Flags for opening it, besides for reading.
    /// - Returns: Whether it was written. If not, `errno` says why.
    package static func synchronize(_ path: String, flags: Int32 = 0) -> Bool {
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { return false }
        let isWritten = fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        errno = code
        return isWritten
    }
}
