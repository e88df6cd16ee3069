import Books
import Bytes
import CXAttr
import Glibc
import Syntax
import System

/// Checksums of a catalog's blocks. They stand behind the last page of the file, where SQLite does not look.
///
/// A catalog is mapped into memory, so its pages cannot be checked as they are read. The whole file is read once
/// instead, when it is first opened with this size and modification time; an extended attribute of the file remembers
/// that. A file that cannot have the attribute, because it is another user's or its file system has none, is only
/// checked by `etl doctor` if it is larger than ``largestUnmarked``.
///
/// Behind the pages come the checksums of all blocks with eight bytes each, the number of bytes before them, the
/// checksum of both, and a fixed mark. Numbers are little-endian.
enum CatalogChecksums {
    /// The state of a catalog's blocks.
    enum State: Sendable, Hashable {
        case intact
        /// Changed by another program.
        case without
        /// The first block that is not as it was written, by its place in the file.
        case damaged(at: Int)
    }

    static let blockBytes = 1 << 20
    private static let mark = Array("etl block sums 1".utf8)
    private static let attribute = "user.etl.checked"
    /// Maximum size in bytes of a file that each process checks if it cannot be marked as checked. That takes up to a
    /// second.
    static let largestUnmarked = 1 << 30

    // MARK: Writing

    /// Appends the checksums to a finished catalog that is not open, and marks it as checked.
    ///
    /// - Throws: `.inputOutput` if the file cannot be read or written.
    static func append(to path: String) throws(ETLError) {
        let descriptor = FileSystem.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw notWritten(path) }
        defer { close(descriptor) }
        // A build that was killed here has appended them already.
        guard let bytes = databaseBytes(descriptor), ftruncate(descriptor, off_t(bytes)) == 0,
            var tail = sums(descriptor, bytes: bytes)
        else { throw notWritten(path) }
        append(UInt64(bytes), to: &tail)
        append(KeyHash.hash(tail), to: &tail)
        tail += mark
        guard pwrite(descriptor, tail, tail.count, off_t(bytes)) == tail.count else { throw notWritten(path) }
        Facts(descriptor)?.note(descriptor)
    }

    private static func notWritten(_ path: String) -> ETLError {
        ETLError(
            .inputOutput, "Cannot write the checksums of `\(path)`: \(String(cString: strerror(errno))).",
            advice: "Check the disk, then build again.")
    }

    /// The number of bytes of the database's pages, as its header says
    /// (<https://www.sqlite.org/fileformat.html#the_database_header>).
    private static func databaseBytes(_ descriptor: Int32) -> Int? {
        var header = [UInt8](repeating: 0, count: 100)
        guard pread(descriptor, &header, header.count, 0) == header.count else { return nil }
        let size = Int(header[16]) << 8 | Int(header[17])
        let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
        return pages * (size == 1 ? 65_536 : size)
    }

    // MARK: Checking

    /// Checks a catalog unless it is known to be intact since it last changed.
    ///
    /// - Throws: `.inputOutput` if a block is not as it was written.
    static func check(_ path: String) throws(ETLError) {
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        // The problem with the file is reported when it is opened as a database.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard let facts = Facts(descriptor), !facts.isChecked(descriptor) else { return }
        let canBeMarked = fremovexattr(descriptor, attribute) == 0 || errno == ENODATA
        guard canBeMarked || facts.size <= largestUnmarked else { return }
        if case .damaged(let place) = state(descriptor) { throw damaged(path, at: place) }
        facts.note(descriptor)
    }

    /// The state of all blocks of a file, regardless of earlier checks.
    static func state(of path: String) -> State {
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .without }
        defer { close(descriptor) }
        return state(descriptor)
    }

    static func damaged(_ path: String, at place: Int) -> ETLError {
        ETLError(
            .inputOutput, "`\(path)` is damaged: the bytes from \(place) on are not those that were written.",
            advice: "Check the disk, then build it again: \(UserCommand.buildCatalog(path: path)).")
    }

    private static func state(_ descriptor: Int32) -> State {
        guard let size = Facts(descriptor)?.size else { return .without }
        let fixed = 16 + mark.count
        var end = [UInt8](repeating: 0, count: fixed)
        guard size > fixed, pread(descriptor, &end, fixed, off_t(size - fixed)) == fixed,
            end.suffix(mark.count) == mark[...]
        else { return .without }
        let bytes = Int(truncatingIfNeeded: number(end[..<8]))
        guard bytes > 0, bytes < size, size == bytes + 8 * blocks(bytes) + fixed else {
            return .damaged(at: size - fixed)
        }
        var tail = [UInt8](repeating: 0, count: 8 * blocks(bytes) + 8)
        guard pread(descriptor, &tail, tail.count, off_t(bytes)) == tail.count,
            KeyHash.hash(tail) == number(end[8..<16])
        else { return .damaged(at: bytes) }
        guard let found = sums(descriptor, bytes: bytes) else { return .damaged(at: 0) }
        for block in 0..<blocks(bytes)
        where found[8 * block..<8 * block + 8] != tail[8 * block..<8 * block + 8] {
            return .damaged(at: block * blockBytes)
        }
        return .intact
    }

    /// The checksums of a file's first bytes, by block; nil if they cannot be read.
    private static func sums(_ descriptor: Int32, bytes: Int) -> [UInt8]? {
        posix_fadvise(descriptor, 0, off_t(bytes), POSIX_FADV_SEQUENTIAL)
        var sums: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: blockBytes)
        var place = 0
        while place < bytes {
            let wanted = min(blockBytes, bytes - place)
            let isRead = buffer.withUnsafeMutableBytes { buffer in
                var filled = 0
                while filled < wanted {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<wanted])
                    let count = pread(descriptor, rest.baseAddress, rest.count, off_t(place + filled))
                    guard count > 0 else { return false }
                    filled += count
                }
                append(
                    KeyHash.hash(UnsafeRawBufferPointer(rebasing: buffer[..<wanted]), seed: UInt64(place)),
                    to: &sums)
                return true
            }
            guard isRead else { return nil }
            place += wanted
        }
        return sums
    }

    private static func blocks(_ bytes: Int) -> Int { (bytes - 1) / blockBytes + 1 }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: Known facts of a file

    /// File metadata that changes if the file is written to, copied or replaced.
    private struct Facts: Hashable {
        var size: Int
        private var text: [UInt8]

        init?(_ descriptor: Int32) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            let state = FileState(status)
            size = Int(state.size)
            text = Array("\(status.st_dev) \(status.st_ino) \(state.size) \(state.modified)".utf8)
        }

        func isChecked(_ descriptor: Int32) -> Bool {
            var value = [UInt8](repeating: 0, count: text.count + 1)
            let count = fgetxattr(descriptor, attribute, &value, value.count)
            return count == text.count && value.dropLast() == text[...]
                || unmarked.withLock { $0.contains(self) }
        }

        /// Remembers that the file was checked.
        func note(_ descriptor: Int32) {
            guard fsetxattr(descriptor, attribute, text, text.count, 0) != 0 else { return }
            unmarked.withLock { _ = $0.insert(self) }
        }
    }

    /// Files that this process has checked and cannot mark. A server opens its catalogs many times.
    private static let unmarked = Guarded<Set<Facts>>([])
}
