/// The parts of a path.
package enum FolderPath {
    /// `.` for a bare name. Foundation's function crashes for paths of one letter.
    package static func of(_ path: String) -> String {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        if path.hasPrefix("/") { return "/" + folder }
        return folder.isEmpty ? "." : folder
    }

    /// The name of the file or folder itself; empty for the root.
    package static func lastName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }
}
