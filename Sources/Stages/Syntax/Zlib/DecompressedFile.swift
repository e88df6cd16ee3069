import Glibc
package import Pipeline

/// The bytes of a file, unpacked where it is gzip: told by its first two bytes, never by its name.
///
/// It belongs to whoever opened it and is read from start to end, in blocks of 256 KiB.
package final class DecompressedFile {
    private static let blockSize = 256 << 10

    package let path: String
    /// Size on disk in bytes.
    package let size: Int64
    /// Bytes read from disk so far.
    package private(set) var bytesRead: Int64 = 0
    /// Bytes of text handed out or passed over so far.
    package private(set) var bytesMade: Int64 = 0
    /// Whether the file is gzip.
    package let isGzip: Bool
    /// Whether the gzip data was followed by something that is none.
    package private(set) var endedInGarbage = false

    private let descriptor: Int32
    /// Where the next block is on disk; nil where the descriptor knows.
    private var offset: Int64?
    private let block: UnsafeMutableRawBufferPointer
    /// What of the block is not used yet.
    private var pending: Range<Int>
    private var inflater: GzipInflater?
    private let meetGarbage: @Sendable () -> Void

    /// Opens a file.
    ///
    /// - Parameter meetGarbage: Called at the end where it ``endedInGarbage``.
    /// - Throws: ``StageFailure/Kind/missing`` where it does not exist or cannot be read.
    package init(
        _ path: String, limit: GzipInflater.Limit = .text,
        meetingGarbage meetGarbage: @escaping @Sendable () -> Void = {}
    ) throws(StageFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StageFailure(
                .missing, "\(path) cannot be opened: \(String(cString: strerror(errno))).",
                advice: "Check the name and the permissions.")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw StageFailure(.missing, "\(path) is not a file.", advice: "Name the files themselves.")
        }
        self.path = path
        self.meetGarbage = meetGarbage
        size = Int64(status.st_size)
        self.descriptor = descriptor
        block = .allocate(byteCount: Self.blockSize, alignment: 16)
        do throws(StageFailure) {
            let count = try Self.fill(block, from: descriptor, path)
            pending = 0..<count
            bytesRead = Int64(count)
            isGzip = count >= 2 && block[0] == 0x1F && block[1] == 0x8B
            if isGzip { inflater = try Self.makeInflater(limit, path) }
        } catch {
            close(descriptor)
            block.deallocate()
            throw error
        }
    }

    /// Another reader of the very file, wherever its path leads now, that goes on from where the first one is and leaves
    /// its place alone: nothing is unpacked twice. Of a file, not a pipe.
    package init(sharing other: DecompressedFile) throws(StageFailure) {
        (path, size, isGzip) = (other.path, other.size, other.isGzip)
        (bytesRead, bytesMade, pending) = (other.bytesRead, other.bytesMade, other.pending)
        meetGarbage = {}
        offset = bytesRead
        descriptor = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
        block = .allocate(byteCount: Self.blockSize, alignment: 16)
        block.copyMemory(from: UnsafeRawBufferPointer(other.block))
        guard descriptor >= 0 else {
            throw StageFailure(
                .inputOutput, "Reading \(path) failed: \(String(cString: strerror(errno))).")
        }
        do throws(GzipError) {
            inflater = try other.inflater?.copy()
        } catch {
            throw failure(error)
        }
    }

    deinit {
        close(descriptor)
        block.deallocate()
    }

    /// Passes over bytes of text: jumps over them in a plain file, inflates them in a packed one. Nothing was read
    /// before.
    package func skip(_ count: Int64) throws(StageFailure) {
        guard count > 0 else { return }
        guard isGzip else {
            guard lseek(descriptor, off_t(count), SEEK_SET) == off_t(count) else {
                throw StageFailure(
                    .inputOutput, "\(path) cannot be read on: \(String(cString: strerror(errno))).")
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

    /// SHA-256 of the file's first ``SourceFingerprint/headLength`` bytes as they lie on disk.
    package var headSHA256: String {
        var bytes = [UInt8](repeating: 0, count: SourceFingerprint.headLength)
        let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
        var hash = SHA256()
        hash.update(Array(bytes[..<count]))
        return hash.hexDigest
    }

    /// Fills `output` with what comes next.
    ///
    /// - Returns: Bytes filled in; 0 at the end.
    package func read(into output: UnsafeMutableRawBufferPointer) throws(StageFailure) -> Int {
        while true {
            if pending.isEmpty {
                let count = try Self.fill(block, from: descriptor, at: offset, path)
                pending = 0..<count
                bytesRead += Int64(count)
                offset = offset.map { $0 + Int64(count) }
                if count == 0 {
                    try finish()
                    return 0
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
    ) throws(StageFailure) -> (taken: Int, made: Int) {
        guard isGzip else {
            let count = min(input.count, output.count)
            output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
            return (count, count)
        }
        do throws(GzipError) {
            return try inflater?.inflate(input, into: output) ?? (input.count, 0)
        } catch {
            throw failure(error)
        }
    }

    private func finish() throws(StageFailure) {
        guard isGzip else { return }
        do throws(GzipError) {
            try inflater?.finish()
        } catch {
            throw failure(error)
        }
        endedInGarbage = inflater?.endedInGarbage ?? false
        if endedInGarbage { meetGarbage() }
    }

    /// What is said of a file that ``endedInGarbage``, up to what is to be done with it when it was fetched again.
    package static func trailingGarbageMessage(in name: String) -> String {
        "\(name) holds other bytes behind the end of its packed data; they were ignored. If it was damaged on "
            + "its way, download it again and"
    }

    private func failure(_ error: GzipError) -> StageFailure {
        StageFailure(
            .unusableInput, "\(path) \(error.sentence)",
            advice: "Fetch the file again and compare its size with the one published.")
    }

    private static func makeInflater(
        _ limit: GzipInflater.Limit, _ path: String
    ) throws(StageFailure) -> GzipInflater {
        do throws(GzipError) {
            return try GzipInflater(limit: limit)
        } catch {
            throw StageFailure(.inputOutput, "\(path) \(error.sentence)")
        }
    }

    /// Fills the block as far as the file goes: a short read is no end.
    private static func fill(
        _ block: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64? = nil,
        _ path: String
    ) throws(StageFailure) -> Int {
        var filled = 0
        while filled < block.count {
            let (room, left) = (block.baseAddress?.advanced(by: filled), block.count - filled)
            let count =
                offset.map { pread(descriptor, room, left, off_t($0) + filled) }
                ?? Glibc.read(descriptor, room, left)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw StageFailure(
                    .inputOutput, "Reading \(path) failed: \(String(cString: strerror(errno))).",
                    advice: "Check the disk, then start again.")
            }
            filled += count
        }
        return filled
    }
}
