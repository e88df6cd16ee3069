import Bytes
import Foundation

/// Where a store is, however its path is spelled.
package enum StorePath {
    /// The path without links, `.` and `..`: all spellings of one store come to the same.
    ///
    /// Of a file that is not there yet the folder is looked up, and a link to nowhere leads to where the file will be.
    /// What cannot be looked up stays as it is spelled.
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

    /// As many as the system follows before it takes them for a circle.
    private static let linksFollowed = 40

    private static func lookedUp(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        // A folder above may have a name that is no text; then the path stays as it is spelled, which works.
        return String(validatingCString: found)
    }
}
