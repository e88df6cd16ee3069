import Books
import Bytes
import Foundation

/// The path of a file that holds from any directory: what a job keeps, to be gone on with from elsewhere.
package enum AbsolutePath {
    /// The folder is looked up, so that all its spellings come to the same; the file's own name stays, for a link that
    /// is led elsewhere from week to week is one input. A path whose folder is not there stays as it is spelled.
    package static func of(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        // The name of a folder, seen from within or below.
        if name.isEmpty || name == "." || name == ".." { return StorePath.real(path) }
        let folder = StorePath.real(FolderPath.of(path))
        if folder.hasPrefix("/") { return (folder == "/" ? "" : folder) + "/" + name }
        return FileManager.default.currentDirectoryPath + "/" + path
    }
}
