import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The program that shows long output a screen at a time.
struct Pager: Sendable, Hashable {
    /// Run by the shell, as `PAGER` is everywhere: `less -S`.
    let command: String

    /// The pager that the user wants: `PAGER`, else less.
    ///
    /// - Returns: nil if `PAGER` is empty or `cat`, and for a terminal that cannot move its cursor.
    init?(environment: [String: String]) {
        let command = environment["PAGER"] ?? "less"
        guard !command.allSatisfy(\.isWhitespace), command != "cat", environment["TERM"] != "dumb" else {
            return nil
        }
        self.command = command
    }

    /// The pager as a running process that reads what is written to it.
    final class Running: ByteOutlet {
        private let process: ShellProcess
        private let input: DescriptorOutlet

        /// - Returns: nil if it cannot be started; then the output is written without it.
        init?(_ pager: Pager) {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { close(ends[0]) }
            input = DescriptorOutlet(descriptor: ends[1])
            // As git does: quit if all fits the screen, show colors, leave the output on the screen.
            setenv("LESS", "FRX", 0)
            setenv("LV", "-c", 0)
            guard let process = ShellProcess(pager.command, input: ends[0]) else {
                close(ends[1])
                return nil
            }
            self.process = process
        }

        func write(_ bytes: UnsafeRawBufferPointer) -> Int32 { input.write(bytes) }

        /// Ends its input, and waits until the user quits it.
        func end() {
            close(input.descriptor)
            process.wait()
        }
    }
}
