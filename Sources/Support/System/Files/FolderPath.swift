/// The parts of a path. They are separated at the byte of the slash: for `String`, a slash before a combining
/// mark is another character.
package enum FolderPath {
    private static let slash = UInt8(ascii: "/")

    /// The folder of a path; `.` for a bare name. Foundation's function crashes for paths of one letter.
    package static func of(_ path: String) -> String {
        let folder = path.utf8.split(separator: slash).dropLast().map { String(Substring($0)) }
            .joined(separator: "/")
        if isAbsolute(path) { return "/" + folder }
        return folder.isEmpty ? "." : folder
    }

    /// Whether a path begins with a slash.
    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    /// The name of the file or folder itself; empty for the root.
    package static func lastName(_ path: String) -> String {
        path.utf8.split(separator: slash).last.map { String(Substring($0)) } ?? ""
    }
}
