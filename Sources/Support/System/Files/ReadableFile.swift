#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Opens a file for reading without ever waiting: opening a pipe without a writer would wait for one, and a
/// device may have no end.
package enum ReadableFile {
    /// Why a path cannot be read.
    package enum Refusal: Error, Sendable, Hashable {
        /// The system's error number.
        case system(Int32)
        case folder
        /// A pipe, a socket or a device.
        case special
    }

    /// The descriptor of a regular file, or of an open file of this process under its name: `/dev/stdin`, or
    /// `/dev/fd/63`, which a shell gives for `<(command)`. The caller closes it.
    package static func open(_ path: String) throws(Refusal) -> Int32 {
        let descriptor = FileSystem.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        // A device without anything behind it, such as /dev/tty without a terminal.
        guard descriptor >= 0 else { throw errno == ENXIO ? .special : .system(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw .system(code)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR:
            close(descriptor)
            throw .folder
        case _ where isOpenFile(path): break
        default:
            close(descriptor)
            throw .special
        }
        // Reading from here on may wait, as for any command in a pipeline.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }

    /// All bytes of such a file. The memory is as large as the file: use it only for files that are small by their nature.
    package static func contents(of path: String) throws(Refusal) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
        while true {
            let count = try next(descriptor, into: &buffer)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Reads the next bytes of an open file, as many as fit.
    ///
    /// - Returns: Their number; 0 at the end.
    package static func next(_ descriptor: Int32, into buffer: inout [UInt8]) throws(Refusal) -> Int {
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            return count
        }
    }

    /// The text of such a file, without a byte order mark; nil if it is not UTF-8.
    package static func text(of path: String) throws(Refusal) -> String? {
        let bytes = try contents(of: path)
        return String(
            validating: bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0), as: UTF8.self)
    }

    /// Whether a path is the name of an open file of this process.
    private static func isOpenFile(_ path: String) -> Bool {
        path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
    }
}

extension ReadableFile.Refusal {
    /// Whether the user may not read the file.
    package var isForbidden: Bool { self == .system(EACCES) || self == .system(EPERM) }

    /// The failure to read a file.
    package func failure(of path: String) -> ETLError {
        switch self {
        case .system(ENOENT), .system(ENOTDIR):
            ETLError(.missing, "There is no file `\(path)`.", advice: "Check its name and folder.")
        case .system where isForbidden:
            ETLError(
                .permission, "`\(path)` cannot be read: permission denied.",
                advice: "Make it readable, for example with `chmod u+r FILE`.")
        case .system(let code):
            ETLError(.inputOutput, "`\(path)` cannot be read: \(String(cString: strerror(code))).")
        case .folder:
            ETLError(
                .missing, "`\(path)` is a folder, not a file.", advice: "Specify files, not folders.")
        case .special:
            ETLError(
                .unusableInput, "`\(path)` is a pipe or a device, not a file.",
                advice: "Save its content to a file, and specify that.")
        }
    }
}
