import Glibc
package import System

/// The bytes of a file, mapped for reading: a page is loaded when it is first used, and its memory belongs to the
/// system's cache.
///
/// The file must not be shortened while it is mapped. `etl` replaces its own files by others instead; files of the user
/// are copied to memory unless they are very large.
// Proof: the bytes are only read, and they stay mapped until the last reference is gone.
package final class MappedFile: @unchecked Sendable {
    /// The mapped bytes; empty for an empty file.
    package let bytes: UnsafeRawBufferPointer

    /// Maps a whole file.
    ///
    /// - Parameter limit: Size in bytes up to which the content is copied to memory instead, so that nothing that happens to
    ///   the file matters any more.
    /// - Throws: As ``ReadableFile/Refusal/failure(of:)``.
    package convenience init(_ path: String, copyingUpTo limit: Int = 0) throws(ETLError) {
        let descriptor: Int32
        do throws(ReadableFile.Refusal) {
            descriptor = try ReadableFile.open(path)
        } catch {
            throw error.failure(of: path)
        }
        defer { close(descriptor) }
        try self.init(descriptor, path, copyingUpTo: limit)
    }

    /// Maps an open file, which may be closed afterwards.
    ///
    /// - Parameter path: Its path, for messages.
    package init(_ descriptor: Int32, _ path: String, copyingUpTo limit: Int = 0) throws(ETLError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw ReadableFile.Refusal.system(errno).failure(of: path)
        }
        let size = Int(facts.st_size)
        guard size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        let copies = size <= limit
        let address =
            copies
            ? mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            : mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
        guard address != MAP_FAILED, let address else {
            throw ReadableFile.Refusal.system(errno).failure(of: path)
        }
        bytes = UnsafeRawBufferPointer(start: address, count: size)
        var done = 0
        while copies, done < size {
            let count = pread(descriptor, address + done, size - done, off_t(done))
            if count < 0, errno == EINTR { continue }
            // A file that becomes shorter meanwhile ends in zeros.
            guard count > 0 else { break }
            done += count
        }
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }
}
