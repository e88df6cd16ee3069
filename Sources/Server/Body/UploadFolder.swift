import Glibc
package import System

/// The folder next to a store in which uploaded files wait for their import. Names in it are made by the server; the
/// client's names of its files do not matter here.
package final class UploadFolder: Sendable {
    /// Why nothing can be stored.
    package enum Refusal: Error, Sendable, Hashable {
        /// The upload is larger than one may be.
        case tooLarge
        /// All uploads together have reached their limit.
        case full
        /// Those of one user have reached theirs, so many bytes, so that others find room.
        case fullOfUser(limit: Int)
        /// The system does not write.
        case system(code: Int32)
    }

    /// Bytes of all uploads, and of those of each user.
    private struct Used: Sendable {
        var bytes = 0
        var ofUser: [String: Int] = [:]
        /// The users by the names of their uploads.
        var users: [String: String] = [:]

        mutating func add(_ count: Int, of upload: String) {
            bytes = max(0, bytes + count)
            guard let user = users[upload] else { return }
            let left = ofUser[user, default: 0] + count
            ofUser[user] = left > 0 ? left : nil
        }
    }

    /// `O_TMPFILE`, a macro that Swift does not import.
    private static let withoutName: Int32 = 0o20_000_000 | O_DIRECTORY

    package let path: String
    /// Maximum size of one upload in bytes.
    package let limit: Int
    private let quota: Int
    private let used: Guarded<Used>
    /// Held while an upload is removed: of two who remove the same one, one must give back all of its bytes.
    private let removing = Guarded(())

    /// Creates the folder if necessary; only the user can read it.
    ///
    /// - Parameters:
    ///   - limit: Maximum size of one upload in bytes.
    ///   - quota: Maximum size of all uploads together in bytes.
    package init(_ path: String, limit: Int, quota: Int) throws(ETLError) {
        self.path = path
        self.limit = limit
        self.quota = quota
        FileSystem.mkdir(path, 0o700)
        var facts = stat()
        guard FileSystem.lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR,
            facts.st_uid == geteuid()
        else {
            throw ETLError(
                .cannotCreate, "The folder for uploads, `\(path)`, cannot be created.",
                advice: "Check the permissions of the folder it is in, and whether something has its name.")
        }
        used = Guarded(Used(bytes: Self.size(of: path)))
    }

    /// Bytes of all files below a folder.
    private static func size(of folder: String) -> Int {
        var total = 0
        for name in Folder.names(in: folder) ?? [] {
            var facts = stat()
            guard FileSystem.lstat("\(folder)/\(name)", &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR {
                total += size(of: "\(folder)/\(name)")
            } else {
                total += Int(facts.st_size)
            }
        }
        return total
    }

    /// Bytes of all uploads.
    package var usedBytes: Int { used.withLock { $0.bytes } }

    /// Maximum size of one user's uploads together: three quarters of all, but at least one upload.
    private var share: Int { max(limit, quota / 4 * 3) }

    /// Notes whose an upload is that is complete: one that an earlier process has received.
    package func note(_ name: String, of user: String) {
        let size = Self.size(of: folder(name))
        used.withLock { used in
            guard used.users.updateValue(user, forKey: name) == nil else { return }
            used.ofUser[user, default: 0] += size
        }
    }

    /// Notes whose an upload is that begins.
    func begin(_ name: String, of user: String) { used.withLock { $0.users[name] = user } }

    func reserve(_ bytes: Int, for name: String) throws(Refusal) {
        let refusal = used.withLock { used -> Refusal? in
            guard used.bytes + bytes <= quota else { return .full }
            let own = used.users[name].flatMap { used.ofUser[$0] } ?? 0
            guard own + bytes <= share else { return .fullOfUser(limit: share) }
            used.add(bytes, of: name)
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Counts bytes that must be written whatever the limits: an accepted job needs them.
    func add(_ bytes: Int, for name: String) { used.withLock { $0.add(bytes, of: name) } }

    func release(_ bytes: Int, of name: String) { used.withLock { $0.add(-bytes, of: name) } }

    /// Bytes of an upload's files.
    package func bytes(of name: String) -> Int { Self.size(of: folder(name)) }

    /// Lines of an upload's files, without those that end within quotes. Reads the files whole.
    func lines(of name: String) -> Int {
        var count = 0
        for file in Folder.names(in: folder(name)) ?? [] {
            var isQuoted = false
            for byte in (try? ReadableFile.contents(of: "\(folder(name))/\(file)")) ?? [] {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte == UInt8(ascii: "\n"), !isQuoted { count += 1 }
            }
        }
        return count
    }

    /// The folder of an upload.
    package func folder(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes an upload. Removing one that does not exist does nothing.
    package func remove(_ name: String) {
        let folder = folder(name)
        removing.withLock { _ in
            let size = Self.size(of: folder)
            guard Folder.remove(folder) == 0 else { return }
            used.withLock { used in
                used.add(-size, of: name)
                used.users[name] = nil
            }
        }
    }

    /// The names of all uploads with the time of their last change, in seconds since 1970.
    package func uploads() -> [(name: String, changed: Int)] {
        (Folder.names(in: path) ?? []).sorted().compactMap { name in
            var facts = stat()
            guard FileSystem.lstat(folder(name), &facts) == 0 else { return nil }
            return (name, facts.st_mtim.tv_sec)
        }
    }

    /// Begins to count the bytes of a user's long response like those of an upload.
    func reserved(for user: String, as name: String) -> ReservedBytes {
        begin(name, of: user)
        return ReservedBytes(in: self, name)
    }

    /// Gives back bytes of a response, and forgets it.
    fileprivate func end(_ name: String, _ bytes: Int) {
        used.withLock { used in
            used.add(-bytes, of: name)
            used.users[name] = nil
        }
    }

    /// An empty file without a name, for a response that does not fit into memory. It is gone when it is closed.
    package func scratchFile() throws(Refusal) -> Int32 {
        let descriptor = FileSystem.open(path, O_RDWR | Self.withoutName | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(code: errno) }
        return descriptor
    }
}

/// The files of one upload while they arrive. Used by one thread at a time.
package struct UploadedFiles: Sendable {
    private let uploads: UploadFolder
    /// The upload's name.
    package let name: String
    private let user: String?
    /// The files so far, as paths.
    package private(set) var paths: [String] = []
    /// Bytes of all files so far.
    package private(set) var size = 0
    private var descriptor: Int32 = -1

    /// - Parameter user: Whose they are, as ``ClientAddress/user(_:at:)`` names them; nil for those that the server restores,
    ///   which have no limits.
    package init(_ name: String, of user: String?, in uploads: UploadFolder) {
        self.name = name
        self.user = user
        self.uploads = uploads
    }

    /// Writes the only file of an upload, which is on disk when this returns.
    package mutating func keep(_ file: [UInt8]) throws(UploadFolder.Refusal) {
        try begin()
        try write(file)
        try end()
        try keep()
    }

    /// Begins another file.
    package mutating func begin() throws(UploadFolder.Refusal) {
        let folder = uploads.folder(name)
        guard !paths.isEmpty || FileSystem.mkdir(folder, 0o700) == 0 else { throw .system(code: errno) }
        if let user { uploads.begin(name, of: user) }
        let path = "\(folder)/\(paths.count + 1)"
        descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(code: errno) }
        paths.append(path)
    }

    /// Adds to the file that was begun last.
    package mutating func write(_ bytes: [UInt8]) throws(UploadFolder.Refusal) {
        if user == nil {
            uploads.add(bytes.count, for: name)
        } else {
            guard size + bytes.count <= uploads.limit else { throw .tooLarge }
            try uploads.reserve(bytes.count, for: name)
        }
        size += bytes.count
        let (written, code) = DescriptorWriter.writeAll(bytes, to: descriptor)
        guard written == bytes.count else {
            // Discarding the files gives back only their size.
            uploads.release(bytes.count - written, of: name)
            throw .system(code: code)
        }
    }

    /// The file that was begun last is complete, and on disk when this returns.
    package mutating func end() throws(UploadFolder.Refusal) {
        defer {
            close(descriptor)
            descriptor = -1
        }
        guard fsync(descriptor) == 0 else { throw .system(code: errno) }
    }

    /// All files are complete, and their folder is on disk when this returns.
    package func keep() throws(UploadFolder.Refusal) {
        for folder in [uploads.folder(name), uploads.path] {
            let descriptor = FileSystem.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .system(code: errno) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else { throw .system(code: errno) }
        }
    }

    /// Adds the content of all files to a digest. They must be complete.
    package func update(_ digest: inout SHA256) throws(UploadFolder.Refusal) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        for path in paths {
            let descriptor = FileSystem.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw .system(code: errno) }
            defer { close(descriptor) }
            while true {
                let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw .system(code: errno) }
                if count == 0 { break }
                buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
        }
    }

    /// Removes all files.
    package mutating func discard() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        uploads.remove(name)
    }
}

/// Bytes of a response that counts like an upload: a client that reads slowly, or not at all, keeps them on the disk. They
/// are given back when nothing refers to this any more.
package final class ReservedBytes: Sendable {
    private let folder: UploadFolder
    private let name: String
    private let count = Guarded(0)

    fileprivate init(in folder: UploadFolder, _ name: String) {
        self.folder = folder
        self.name = name
    }

    func add(_ bytes: Int) throws(UploadFolder.Refusal) {
        try folder.reserve(bytes, for: name)
        count.withLock { $0 += bytes }
    }

    deinit { folder.end(name, count.withLock { $0 }) }
}
