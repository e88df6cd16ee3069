/// The folder that a path stands in.
package enum FolderPath {
    /// `.` for a bare name. Foundation's own way of asking ends the process where a path is one letter long.
    package static func of(_ path: String) -> String {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        if path.hasPrefix("/") { return "/" + folder }
        return folder.isEmpty ? "." : folder
    }
}
