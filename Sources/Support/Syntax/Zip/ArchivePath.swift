import System

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The path of a part of a file: a file in a ZIP archive, or a sheet of a spreadsheet. It is written as if the file
/// were a folder: `exports.zip/goodreads.csv`, `books.xlsx/Read`.
package struct ArchivePath: Sendable, Hashable {
    /// The file.
    package let file: String
    /// The name of its part.
    package let part: String

    /// - Returns: Nil if the path is that of a file or folder, or leads to nothing.
    package init?(_ path: String) {
        var status = stat()
        guard FileSystem.stat(path, &status) != 0, errno == ENOTDIR else { return nil }
        var slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        while let at = slash {
            let beginning = String(path[..<at])
            if FileSystem.stat(beginning, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFREG else { return nil }
                (file, part) = (beginning, String(path[path.utf8.index(after: at)...]))
                return
            }
            slash = path[..<at].utf8.lastIndex(of: UInt8(ascii: "/"))
        }
        return nil
    }

    /// The file that a path leads to or into.
    package static func file(of path: String) -> String { ArchivePath(path)?.file ?? path }
}
