import Glibc
package import System

/// The bytes of a file, mapped for reading: a page is loaded when it is first used, and its memory belongs to the
/// system's cache.
///
/// The file must not be shortened while it is mapped. `etl` replaces its own files by others instead.
// Proof: the bytes are only read, and they stay mapped until the last reference is gone.
package final class MappedFile: @unchecked Sendable {
    /// The mapped bytes; empty for an empty file.
    package let bytes: UnsafeRawBufferPointer

    /// Maps a whole file.
    ///
    /// - Throws: As ``ReadableFile/Refusal/failure(of:)``.
    package convenience init(_ path: String) throws(ETLError) {
        let descriptor: Int32
        do throws(ReadableFile.Refusal) {
            descriptor = try ReadableFile.open(path)
        } catch {
            throw error.failure(of: path)
        }
        defer { close(descriptor) }
        try self.init(descriptor, path)
    }

    /// Maps an open file, which may be closed afterwards.
    ///
    /// - Parameter path: Its path, for messages.
    package init(_ descriptor: Int32, _ path: String) throws(ETLError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw ReadableFile.Refusal.system(errno).failure(of: path)
        }
        let size = Int(facts.st_size)
        guard size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        let address = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
        guard address != MAP_FAILED, let address else {
            throw ReadableFile.Refusal.system(errno).failure(of: path)
        }
        bytes = UnsafeRawBufferPointer(start: address, count: size)
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }
}
