import Bytes
import FoundationEssentials
import Glibc

/// Resolves the path of a store.
package enum StorePath {
    /// The path without links, `.` and `..`, so that all spellings of one store are equal.
    ///
    /// If the file does not exist yet, its folder is resolved; a dangling link leads to the path where the
    /// file will be created. A path that cannot be resolved is returned unchanged.
    package static func real(_ path: String) -> String {
        var path = path
        for _ in 0..<linksFollowed {
            if let found = lookedUp(path) { return found }
            guard let folder = lookedUp(FolderPath.of(path)) else { return path }
            let file = (folder == "/" ? "" : folder) + "/" + (path.split(separator: "/").last ?? "")
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file) else {
                return file
            }
            path = target.hasPrefix("/") ? target : folder + "/" + target
        }
        return path
    }

    /// The system's own limit, after which it assumes a cycle.
    private static let linksFollowed = 40

    private static func lookedUp(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        // The name of a parent folder may not be valid text. The path is then used unchanged.
        return String(validatingCString: found)
    }
}
