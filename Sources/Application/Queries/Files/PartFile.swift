import FoundationEssentials
import Glibc
import System

/// The file or folder that is written under another name until it is complete. It is locked while the process lives:
/// the next one to the same place removes the leftovers of a killed one.
package enum PartFile {
    private static let ending = ".part"

    /// A new name beside the path that it gets in the end.
    package static func name(besides path: String) -> String { "\(path).\(UUID().uuidString)\(ending)" }

    /// Creates a file or a folder under a new name. Others leave it alone until its descriptor, and all duplicates of it,
    /// are closed. Links are not followed, and nothing is overwritten.
    ///
    /// - Returns: Its path, and a descriptor that is open for writing, of a folder for reading; nil if it cannot be created,
    ///   with the reason in `errno`.
    package static func create(
        besides path: String, isFolder: Bool = false, mode: UInt32
    ) -> (path: String, descriptor: Int32)? {
        while true {
            let part = name(besides: path)
            guard !isFolder || FileSystem.mkdir(part, mode) == 0 else { return nil }
            let flags = isFolder ? O_RDONLY | O_DIRECTORY : O_WRONLY | O_CREAT | O_EXCL
            let descriptor = FileSystem.open(part, flags | O_NOFOLLOW | O_CLOEXEC, mode)
            let code = errno
            if descriptor >= 0, hold(descriptor), isPresent(part, descriptor) { return (part, descriptor) }
            if descriptor >= 0 { close(descriptor) }
            // Another process has found it before it was locked, and taken it for abandoned.
            guard descriptor >= 0 || isFolder && code == ENOENT else {
                if isFolder { FileSystem.rmdir(part) }
                errno = code
                return nil
            }
        }
    }

    /// Keeps others from removing a file. False if another process is removing it.
    private static func hold(_ descriptor: Int32) -> Bool {
        // If the file system has no locks, no process removes the files of another one.
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    private static func isPresent(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, own) = (stat(), stat())
        return FileSystem.lstat(path, &named) == 0 && fstat(descriptor, &own) == 0
            && named.st_ino == own.st_ino
    }

    /// Writes a file that is the old or the new one at any time, whatever happens to the process or the machine.
    ///
    /// - Parameter old: An open file whose permissions, and owner if that is possible, the new one gets; nil for the
    ///   usual ones.
    /// - Returns: The system's error number; 0 if the file is written.
    package static func replace(_ path: String, with bytes: [UInt8], like old: Int32? = nil) -> Int32 {
        guard let (part, descriptor) = create(besides: path, mode: old == nil ? 0o666 : 0o600) else {
            return errno
        }
        defer { close(descriptor) }
        var code: Int32 = 0
        if let old {
            var facts = stat()
            if fstat(old, &facts) != 0 { code = errno }
            // Before the mode, which a change of the owner can restrict.
            let isOwned = fchown(descriptor, facts.st_uid, facts.st_gid) == 0
            // Without the group, its permissions would go to another one.
            if fchmod(descriptor, facts.st_mode & (isOwned ? 0o777 : 0o707)) != 0 { code = errno }
        }
        if code == 0 { code = DescriptorWriter.writeAll(bytes, to: descriptor).code }
        if code == 0, fsync(descriptor) != 0 || FileSystem.rename(part, path) != 0 { code = errno }
        if code != 0 { FileSystem.unlink(part) }
        return code
    }

    /// Removes what killed processes of this user have left beside a path.
    ///
    /// - Parameter isFolder: Whether folders are removed; else regular files.
    package static func removeAbandoned(besides path: String, isFolder: Bool) {
        let start = FolderPath.lastName(path) + "."
        removeAbandoned(in: FolderPath.of(path), isFolder: isFolder) { FileName.areSame($0, start) }
    }

    /// Removes what killed processes of this user have left in a folder.
    ///
    /// - Parameter isOurs: Whether names that begin with a text, up to the last part of the name, are removed.
    package static func removeAbandoned(
        in folder: String, isFolder: Bool = false, where isOurs: (_ start: Substring) -> Bool = { _ in true }
    ) {
        for name in Folder.names(in: folder) ?? [] where name.hasSuffix(ending) {
            let stem = name.dropLast(ending.count)
            guard let dot = stem.lastIndex(of: "."),
                UUID(uuidString: String(stem[dot...].dropFirst())) != nil,
                isOurs(stem[...dot])
            else { continue }
            let descriptor = FileSystem.open(
                "\(folder)/\(name)", O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0,
                status.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG), status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            Folder.remove("\(folder)/\(name)")
        }
    }
}
