import Glibc
import System

/// Opens files for output. Opening a named pipe waits until another process reads it, or until the command has to stop.
package enum WritableFile {
    /// The pause between two attempts, in milliseconds.
    private static let pause: Int32 = 50

    /// - Parameter isStopping: Whether to give up. Called before each retry while the pipe has no reader.
    /// - Returns: A descriptor that blocks, or -1 with a ``reason``.
    package static func open(
        _ path: String, _ flags: Int32, mode: UInt32,
        until isStopping: () -> Bool = { Signals.process.received != nil }
    ) -> Int32 {
        while true {
            let descriptor = FileSystem.open(path, flags | O_WRONLY | O_NONBLOCK | O_CLOEXEC, mode)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
                return descriptor
            }
            // ENXIO: the pipe has no reader.
            guard errno == ENXIO, isPipe(path) else { return -1 }
            if isStopping() {
                errno = EPIPE
                return -1
            }
            poll(nil, 0, pause)
        }
    }

    /// Why the last file could not be opened.
    package static var reason: String {
        errno == EPIPE ? "no program reads this pipe" : String(cString: strerror(errno))
    }

    /// Opens a log, to which lines are added.
    ///
    /// - Throws: `.cannotCreate` if it cannot be opened.
    static func appending(to path: String) throws(CommandFailure) -> FileOutlet {
        let descriptor = Self.open(path, O_CREAT | O_APPEND, mode: 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate, "`\(path)` cannot be opened: \(reason).",
                advice: "Specify another file with --log.")
        }
        return FileOutlet(descriptor: descriptor)
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        let isPipe = FileSystem.stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        // For the caller's message.
        errno = ENXIO
        return isPipe
    }
}
