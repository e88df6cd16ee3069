package import Pipeline

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What lies at a path, looked at before anything is read of it.
package struct InputFile: Sendable, Hashable {
    package let path: String
    /// Size in bytes, never 0.
    package let size: Int64

    /// Looks at a path.
    ///
    /// - Throws: `missing` where nothing is there, `permission` where it may not be read, `unusableInput` for a
    ///   directory, a pipe or a device, and for an empty file.
    package init(_ path: String) throws(StageFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.failure(of: path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            break
        case S_IFDIR:
            throw StageFailure(
                .unusableInput, "\(path) is a directory.", advice: "Name the export file inside it.")
        default:
            // What is read must be readable again from the middle, or no run of it could be resumed.
            throw StageFailure(
                .unusableInput, "\(path) is a pipe or a device, not a file.",
                advice: "Name - to read standard input, or save the export to a file.")
        }
        guard access(path, R_OK) == 0 else { throw Self.failure(of: path, errno) }
        guard status.st_size > 0 else {
            throw StageFailure(.unusableInput, "\(path) is empty.", advice: "Download the export again.")
        }
        self.path = path
        size = Int64(status.st_size)
    }

    private static func failure(of path: String, _ code: Int32) -> StageFailure {
        switch code {
        case ENOENT, ENOTDIR:
            StageFailure(
                .missing, "There is no file \(path).", advice: "Check the spelling and the directory.")
        case EACCES, EPERM:
            StageFailure(
                .permission, "\(path) may not be read.", advice: "Give yourself the right to read it.")
        default:
            StageFailure(.inputOutput, "\(path) cannot be looked at: \(String(cString: strerror(code))).")
        }
    }
}
