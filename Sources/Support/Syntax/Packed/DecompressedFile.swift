import Glibc
package import System

/// The bytes of a file, decompressed if it is compressed with gzip, zstd or xz. The first bytes decide, not the
/// name.
///
/// It has one owner and is read from start to end, in blocks of 256 KiB.
package final class DecompressedFile {
    private static let blockSize = 256 << 10

    package let path: String
    /// Size on disk in bytes.
    package let size: Int64
    /// Bytes read from disk so far.
    package private(set) var bytesRead: Int64 = 0
    /// Decompressed bytes returned or skipped so far.
    package private(set) var bytesMade: Int64 = 0
    /// Compression of the file; nil for none.
    package let compression: Compression?
    /// Whether the compressed data was followed by other bytes.
    package private(set) var hasTrailingGarbage = false

    private let descriptor: Int32
    /// Offset of the next block on disk; nil to use the descriptor's own offset.
    private var offset: Int64?
    private let block: UnsafeMutableRawBufferPointer
    /// The part of the block that is not used yet.
    private var pending: Range<Int>
    private var gzip: GzipInflater?
    /// For other compressions than gzip.
    private var inflater: (any StreamInflater)?
    private let noteGarbage: @Sendable () -> Void

    /// Opens a file.
    ///
    /// - Parameter meetGarbage: Called at the end if it ``hasTrailingGarbage``.
    /// - Throws: ``ETLError/Kind/missing`` if it does not exist, ``ETLError/Kind/permission`` or
    ///   ``ETLError/Kind/inputOutput`` if it cannot be read.
    package init(
        _ path: String, limit: InflateLimit = .text,
        onTrailingGarbage noteGarbage: @escaping @Sendable () -> Void = {}
    ) throws(ETLError) {
        let descriptor: Int32
        do throws(ReadableFile.Refusal) {
            descriptor = try ReadableFile.open(path)
        } catch {
            throw error.failure(of: path)
        }
        var status = stat()
        fstat(descriptor, &status)
        self.path = path
        self.noteGarbage = noteGarbage
        size = Int64(status.st_size)
        self.descriptor = descriptor
        block = .allocate(byteCount: Self.blockSize, alignment: 16)
        do throws(ETLError) {
            let count = try Self.fill(block, from: descriptor, path)
            pending = 0..<count
            bytesRead = Int64(count)
            compression = Compression(head: UnsafeRawBufferPointer(block)[..<count])
            try makeInflater(limit)
        } catch {
            close(descriptor)
            block.deallocate()
            throw error
        }
    }

    /// Another reader of the same open file, even if its path now leads elsewhere. It continues from the
    /// first reader's position without moving it, so nothing is decompressed twice. The file must not be a
    /// pipe, and be plain or gzip: other decompressors cannot be copied.
    package init(sharing other: DecompressedFile) throws(ETLError) {
        (path, size, compression) = (other.path, other.size, other.compression)
        (bytesRead, bytesMade, pending) = (other.bytesRead, other.bytesMade, other.pending)
        noteGarbage = {}
        offset = bytesRead
        descriptor = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
        block = .allocate(byteCount: Self.blockSize, alignment: 16)
        block.copyMemory(from: UnsafeRawBufferPointer(other.block))
        guard descriptor >= 0 else {
            throw ETLError(
                .inputOutput, "Reading `\(path)` failed: \(String(cString: strerror(errno))).")
        }
        do throws(InflateError) {
            gzip = try other.gzip?.copy()
        } catch {
            throw failure(error)
        }
    }

    deinit {
        close(descriptor)
        block.deallocate()
    }

    /// Skips decompressed bytes: seeks in a plain file, decompresses in a compressed one. Nothing may have been
    /// read before.
    package func skip(_ count: Int64) throws(ETLError) {
        guard count > 0 else { return }
        guard compression != nil else {
            guard lseek(descriptor, off_t(count), SEEK_SET) == off_t(count) else {
                throw ETLError(
                    .inputOutput,
                    "`\(path)` cannot be read from byte \(count): \(String(cString: strerror(errno))).")
            }
            pending = 0..<0
            (bytesRead, bytesMade) = (count, count)
            return
        }
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 16)
        defer { scratch.deallocate() }
        var left = count
        while left > 0 {
            let room = UnsafeMutableRawBufferPointer(
                rebasing: scratch[..<Int(min(left, Int64(scratch.count)))])
            let made = try read(into: room)
            guard made > 0 else { return }
            left -= Int64(made)
        }
    }

    /// SHA-256 of the file's first ``SourceFingerprint/headLength`` bytes as stored on disk.
    package func headSHA256() throws(ETLError) -> String {
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: SourceFingerprint.headLength, alignment: 1)
        defer { room.deallocate() }
        let count = try Self.fill(room, from: descriptor, at: 0, path)
        var hash = SHA256()
        hash.update(Array(room[..<count]))
        return hash.hexDigest
    }

    /// Fills `output` with the next bytes.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    package func read(into output: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        while true {
            if pending.isEmpty {
                let count = try Self.fill(block, from: descriptor, at: offset, path)
                pending = 0..<count
                bytesRead += Int64(count)
                offset = offset.map { $0 + Int64(count) }
                if count == 0 {
                    // A decompressor may hold bytes after it has taken all input.
                    let held = try take(UnsafeRawBufferPointer(start: nil, count: 0), into: output).made
                    bytesMade += Int64(held)
                    if held == 0 { try finish() }
                    return held
                }
            }
            let input = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[pending])
            let step = try take(input, into: output)
            pending = pending.lowerBound + step.taken..<pending.upperBound
            bytesMade += Int64(step.made)
            if step.made > 0 { return step.made }
        }
    }

    private func take(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ETLError) -> (taken: Int, made: Int) {
        guard compression != nil else {
            let count = min(input.count, output.count)
            output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
            return (count, count)
        }
        do throws(InflateError) {
            if let inflater { return try inflater.inflate(input, into: output) }
            return try gzip?.inflate(input, into: output) ?? (input.count, 0)
        } catch {
            throw failure(error)
        }
    }

    private func finish() throws(ETLError) {
        guard compression != nil else { return }
        do throws(InflateError) {
            try gzip?.finish()
            try inflater?.finish()
        } catch {
            throw failure(error)
        }
        hasTrailingGarbage = gzip?.hasTrailingGarbage ?? inflater?.hasTrailingGarbage ?? false
        if hasTrailingGarbage { noteGarbage() }
    }

    /// The warning about a file that ``hasTrailingGarbage``.
    package static func trailingGarbageMessage(in name: String) -> String {
        "`\(name)` has extra bytes after the end of its compressed data. They were ignored."
    }

    private func failure(_ error: InflateError) -> ETLError {
        ETLError(
            .unusableInput, "`\(path)` \(error.sentence(of: compression ?? .gzip))",
            advice: "Download or compress the file again.")
    }

    private func makeInflater(_ limit: InflateLimit) throws(ETLError) {
        do throws(InflateError) {
            switch compression {
            case nil: break
            case .gzip: gzip = try GzipInflater(limit: limit)
            case .zstd: inflater = try ZstdInflater(limit: limit)
            case .xz: inflater = try XZInflater(limit: limit)
            }
        } catch {
            throw ETLError(.inputOutput, "`\(path)` \(error.sentence(of: compression ?? .gzip))")
        }
    }

    /// Fills the block as far as possible. A short read does not mean the end of the file.
    private static func fill(
        _ block: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64? = nil,
        _ path: String
    ) throws(ETLError) -> Int {
        var filled = 0
        while filled < block.count {
            let (room, left) = (block.baseAddress?.advanced(by: filled), block.count - filled)
            let count =
                offset.map { pread(descriptor, room, left, off_t($0) + filled) }
                ?? Glibc.read(descriptor, room, left)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw ETLError(
                    .inputOutput, "Reading `\(path)` failed: \(String(cString: strerror(errno))).",
                    advice: "Check the disk and try again.")
            }
            filled += count
        }
        return filled
    }
}
