package import Pipeline

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The bytes of a file, or of anything else that has a path and can be read once, as they lie on disk.
///
/// They are read, not mapped: mapped pages count as the process's memory.
package final class FileBytes: ByteSource {
    private let path: String
    private let descriptor: CInt

    /// - Parameter offset: Where to begin, in bytes. Only a file can begin elsewhere than at 0.
    /// - Throws: `missing` if the path cannot be opened for reading.
    package init(path: String, from offset: Int64 = 0) throws(StageFailure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StageFailure(.missing, "\(path) cannot be opened: \(Self.reason(errno)).")
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw StageFailure(.missing, "\(path) is a directory, not a file.")
        }
        if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) < 0 {
            throw StageFailure(
                .inputOutput, "\(path) cannot be read from byte \(offset) on: \(Self.reason(errno)).",
                advice: "Only a file can be resumed, not a pipe.")
        }
        #if os(Linux)
        // Advice only: where it is not taken, reading is no less right.
        _ = posix_fadvise(descriptor, off_t(offset), 0, POSIX_FADV_SEQUENTIAL)
        #endif
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(StageFailure) -> Int {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        while true {
            #if canImport(Glibc)
            let count = Glibc.read(descriptor, start, buffer.count)
            #elseif canImport(Musl)
            let count = Musl.read(descriptor, start, buffer.count)
            #endif
            if count >= 0 { return count }
            if errno != EINTR {
                throw StageFailure(.inputOutput, "Reading \(path) failed: \(Self.reason(errno)).")
            }
        }
    }

    package func ahead() throws(StageFailure) -> (any ByteSource)? {
        // A pipe has no offset.
        let offset = lseek(descriptor, 0, SEEK_CUR)
        return offset < 0 ? nil : try FileBytes(path: path, from: Int64(offset))
    }

    /// The first bytes of a file, at most `count`: what the guesses of encoding, dialect and format look at.
    package static func head(of path: String, count: Int = 64 * 1024) throws(StageFailure) -> [UInt8] {
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
