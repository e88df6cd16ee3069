import Glibc
import System

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
            let file = (folder == "/" ? "" : folder) + "/" + FolderPath.lastName(path)
            guard let target = target(ofLink: file) else { return file }
            path = FolderPath.isAbsolute(target) ? target : folder + "/" + target
        }
        return path
    }

    /// The system's own limit, after which it assumes a cycle.
    private static let linksFollowed = 40

    private static func lookedUp(_ path: String) -> String? {
        guard let found = path.withFileName({ realpath($0, nil) }) else { return nil }
        defer { free(found) }
        return FileName.text(of: found)
    }

    private static func target(ofLink path: String) -> String? {
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = path.withFileName { name in
            target.withUnsafeMutableBytes { target in
                target.withMemoryRebound(to: CChar.self) { target in
                    target.baseAddress.map { readlink(name, $0, target.count) } ?? -1
                }
            }
        }
        return count < 0 ? nil : FileName.text(of: target[..<count])
    }
}
