/// The folder of a path.
package enum FolderPath {
    /// `.` for a bare name. Foundation's function crashes for paths of one letter.
    package static func of(_ path: String) -> String {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        if path.hasPrefix("/") { return "/" + folder }
        return folder.isEmpty ? "." : folder
    }
}
