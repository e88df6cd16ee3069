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
        private let identifier: pid_t
        private let input: DescriptorOutlet

        /// - Returns: nil if it cannot be started; then the output is written without it.
        init?(_ pager: Pager) {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { close(ends[0]) }
            input = DescriptorOutlet(descriptor: ends[1])
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
            // Signals that this process ignores would be ignored by the pager too.
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var (none, all) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            sigfillset(&all)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setsigdefault(&attributes, &all)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            // As git does: quit if all fits the screen, show colors, leave the output on the screen.
            setenv("LESS", "FRX", 0)
            setenv("LV", "-c", 0)
            var words = ["/bin/sh", "-c", pager.command].map { $0.withFileName { strdup($0) } } + [nil]
            defer { for word in words { free(word) } }
            var identifier: pid_t = 0
            guard posix_spawn(&identifier, "/bin/sh", &actions, &attributes, &words, environ) == 0 else {
                close(ends[1])
                return nil
            }
            self.identifier = identifier
        }

        func write(_ bytes: UnsafeRawBufferPointer) -> Int32 { input.write(bytes) }

        /// Ends its input, and waits until the user quits it. Ctrl-C is for the pager meanwhile.
        func end() {
            let former = signal(SIGINT, SIG_IGN)
            defer { signal(SIGINT, former) }
            close(input.descriptor)
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        }
    }
}
