import Bytes
import FoundationEssentials
import Glibc

/// The file or folder that is written under another name until it is complete. It is locked while the process lives:
/// the next one to the same place removes what a killed one has left.
package enum PartFile {
    private static let ending = ".part"

    /// A new name beside the path that it gets in the end.
    package static func name(besides path: String) -> String { "\(path).\(UUID().uuidString)\(ending)" }

    /// Keeps others from removing it until its descriptor is closed.
    package static func hold(_ descriptor: Int32) {
        // A file system without locks has none that could be taken for abandoned.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    /// Removes what killed processes have left beside a path.
    ///
    /// - Parameter isFolder: Whether folders are removed; else regular files.
    package static func removeAbandoned(besides path: String, isFolder: Bool) {
        let folder = FolderPath.of(path)
        let start = "\(path.split(separator: "/").last ?? "")."
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(start) && name.hasSuffix(ending) {
            guard UUID(uuidString: String(name.dropFirst(start.count).dropLast(ending.count))) != nil else {
                continue
            }
            let descriptor = open("\(folder)/\(name)", O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0,
                status.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }
}
