package import Glibc
package import System

/// A small file that `etl` keeps next to a store or a catalog, or in its state folder: a lock, an index.
///
/// Its name can be predicted, so something else may be in its place, by accident or on purpose. It is opened
/// only if it is a regular file with one name that belongs to the user: never through a symbolic link, and
/// without waiting for the other end of a pipe.
package enum SidecarFile {
    /// Opens a file.
    ///
    /// - Parameters:
    ///   - flags: As for open(2), without `O_TRUNC`. Files are created with mode 0600.
    /// - Returns: The descriptor; nil if the system cannot open the file. Then `errno` says why.
    /// - Throws: `.cannotCreate` if something else is in its place.
    package static func open(_ path: String, _ flags: Int32) throws(ETLError) -> Int32? {
        let descriptor = FileSystem.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            switch errno {
            case ELOOP: throw refusal(path, "is a symbolic link")
            case ENXIO, EISDIR: throw refusal(path, "is not a regular file")
            default: return nil
            }
        }
        do throws(ETLError) {
            try check(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Creates the file of a database if there is none. A file that exists is checked, but not opened: closing a
    /// descriptor ends all locks that the process has on a file (fcntl(2)), those of its SQLite connections too.
    ///
    /// - Returns: False if the file cannot be created or written to.
    /// - Throws: `.cannotCreate` if something else is in its place.
    package static func makeDatabase(_ path: String) throws(ETLError) -> Bool {
        let descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return true
        }
        guard errno == EEXIST else { return false }
        var facts = stat()
        guard FileSystem.lstat(path, &facts) == 0 else { return false }
        if facts.st_mode & S_IFMT == S_IFLNK { throw refusal(path, "is a symbolic link") }
        try check(facts, path)
        return FileSystem.access(path, R_OK | W_OK) == 0
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(ETLError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return }
        try check(facts, path)
    }

    private static func check(_ facts: stat, _ path: String) throws(ETLError) {
        if facts.st_mode & S_IFMT != S_IFREG { throw refusal(path, "is not a regular file") }
        if facts.st_nlink > 1 { throw refusal(path, "has another name (a hard link)") }
        // The superuser works in the folders of others.
        if facts.st_uid != geteuid(), geteuid() != 0 { throw refusal(path, "belongs to another user") }
    }

    /// The failure if something else is in the file's place.
    package static func refusal(_ path: String, _ what: String) -> ETLError {
        ETLError(
            .cannotCreate, "`\(path)` \(what). etl needs a file of its own there.",
            advice: "Move it away, or specify another path.")
    }

    /// Which file a path names.
    package struct Identity: Sendable, Hashable {
        private var device: UInt64
        private var number: UInt64

        /// Nil if there is no file.
        package init?(of path: String) {
            var facts = stat()
            guard FileSystem.stat(path, &facts) == 0 else { return nil }
            self.init(facts)
        }

        package init(_ facts: stat) { (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino)) }
    }

    /// Content of a file, by its header.
    package enum Content: Sendable, Hashable {
        /// There is no file.
        case missing
        case empty
        /// An SQLite database with this application id; 0 if it has none.
        case database(applicationID: Int64)
        /// Zeros: a database whose first page was not written yet. Its journal, if there is one, shows what it was.
        case blank
        /// Something else, or a file that is not opened.
        case other
    }

    /// Content of a file. Never follows a symbolic link.
    package static func content(of path: String) -> Content {
        errno = 0
        guard let descriptor = try? Self.open(path, O_RDONLY) else {
            // A name that is too long, or in a file instead of a folder, is that of no file.
            return [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) ? .missing : .other
        }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 72)
        let count = pread(descriptor, &header, header.count, 0)
        if count == 0 { return .empty }
        if count == header.count, header.allSatisfy({ $0 == 0 }), isBlank(descriptor) { return .blank }
        guard count == header.count, header.starts(with: "SQLite format 3\0".utf8) else { return .other }
        return .database(applicationID: header[68..<72].reduce(0) { $0 << 8 | Int64($1) })
    }

    /// Whether the first page contains nothing.
    private static func isBlank(_ descriptor: Int32) -> Bool {
        var page = [UInt8](repeating: 1, count: 4_096)
        let count = pread(descriptor, &page, page.count, 0)
        return count > 0 && page.prefix(count).allSatisfy { $0 == 0 }
    }
}
