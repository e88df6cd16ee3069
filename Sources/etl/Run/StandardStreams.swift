import Glibc

/// Standard input, output and error as whoever started the process left them.
enum StandardStreams {
    /// Puts something that cannot be read, or written, in the place of those that are closed: else the next file that is
    /// opened takes it, and what is meant for the reader goes into that file.
    static func fillGaps() {
        for (stream, mode) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ]
        where fcntl(stream, F_GETFD) < 0 {
            // The lowest number that is free is this one: those below it are taken.
            _ = open("/dev/null", mode)
        }
    }
}
