package import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The bytes of a file, or of anything else that has a path and can be read once, as stored on disk.
///
/// They are read, not mapped: mapped pages would count as the process's memory.
package final class FileBytes: ByteSource {
    private let path: String
    private let descriptor: CInt
    /// Offset of the next read; nil to use the descriptor's own offset.
    private var offset: Int64?

    /// - Parameter offset: Start, in bytes. Must be 0 for anything but a file.
    /// - Throws: `missing` if there is no such file, `permission` or `inputOutput` if it cannot be read.
    package init(path: String, from offset: Int64 = 0) throws(ETLError) {
        self.path = path
        do throws(ReadableFile.Refusal) {
            descriptor = try ReadableFile.open(path)
        } catch {
            throw error.failure(of: path)
        }
        if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) < 0 {
            throw ETLError(
                .inputOutput, "`\(path)` cannot be read from byte \(offset): \(Self.reason(errno)).",
                advice:
                    "A job that reads from a pipe cannot be resumed. Save the input to a file and import it.")
        }
        #if os(Linux)
        // Only a hint: reading also works without it.
        _ = posix_fadvise(descriptor, off_t(offset), 0, POSIX_FADV_SEQUENTIAL)
        #endif
    }

    /// Another reader of the same open file, even if its path now leads elsewhere. It does not move the first
    /// reader's offset.
    private init(sharing other: FileBytes, from offset: Int64) throws(ETLError) {
        path = other.path
        self.offset = offset
        descriptor = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            throw ETLError(.inputOutput, "Reading `\(path)` failed: \(Self.reason(errno)).")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        while true {
            let count = readOnce(start, buffer.count)
            if count >= 0 {
                offset = offset.map { $0 + Int64(count) }
                return count
            }
            if errno != EINTR {
                throw ETLError(.inputOutput, "Reading `\(path)` failed: \(Self.reason(errno)).")
            }
        }
    }

    private func readOnce(_ start: UnsafeMutableRawPointer, _ count: Int) -> Int {
        if let offset { return pread(descriptor, start, count, off_t(offset)) }
        #if canImport(Glibc)
        return Glibc.read(descriptor, start, count)
        #elseif canImport(Musl)
        return Musl.read(descriptor, start, count)
        #endif
    }

    package func ahead() throws(ETLError) -> (any ByteSource)? {
        // A pipe has no offset.
        let offset = self.offset ?? Int64(lseek(descriptor, 0, SEEK_CUR))
        return offset < 0 ? nil : try FileBytes(sharing: self, from: offset)
    }

    /// The first bytes of a file, at most `count`, for guessing encoding, dialect and format.
    package static func head(of path: String, count: Int = 64 * 1024) throws(ETLError) -> [UInt8] {
        let file = try FileBytes(path: path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { buffer.deallocate() }
        var end = 0
        while end < count {
            let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
            if read == 0 { break }
            end += read
        }
        return Array(buffer[..<end])
    }

    private static func reason(_ error: CInt) -> String {
        error == ENOENT ? "there is no such file" : String(cString: strerror(error))
    }
}

/// A stack of bytes in reused memory.
struct ByteStack: ~Copyable {
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private(set) var count = 0

    deinit {
        buffer.deallocate()
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

    /// Removes all bytes and reserves room for others.
    mutating func removeAll(reserving capacity: Int) {
        count = 0
        guard capacity > buffer.count else { return }
        buffer.deallocate()
        buffer = .allocate(byteCount: capacity, alignment: 16)
    }

    /// Adds the bytes that `write` puts into the remaining room. `write` returns their number.
    @inline(__always)
    mutating func push(_ write: (UnsafeMutableRawBufferPointer) -> Int) {
        count += write(UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
    }
}
