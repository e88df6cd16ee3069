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
        #if canImport(Glibc)
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        #else
        let descriptor = Musl.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { throw .system(errno) }
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

    /// Whether a path is the name of an open file of this process.
    private static func isOpenFile(_ path: String) -> Bool {
        path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
    }
}
