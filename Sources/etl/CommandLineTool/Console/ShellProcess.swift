import System

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A program that the user has named, such as `PAGER` or `BROWSER`, run by the shell as everywhere.
struct ShellProcess: Sendable {
    private let identifier: pid_t

    /// Starts it.
    ///
    /// - Parameters:
    ///   - command: A command line, to which the arguments are added.
    ///   - input: Its standard input; nil for that of this process.
    /// - Returns: nil if it cannot be started.
    init?(_ command: String, _ arguments: [String] = [], input: Int32? = nil) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        let line = arguments.isEmpty ? command : command + " \"$@\""
        let words = ["/bin/sh", "-c", line, "etl"] + arguments
        guard let identifier = try? SpawnedProcess.start(words, &actions) else { return nil }
        self.identifier = identifier
    }

    /// Waits for its end. Ctrl-C is for the program meanwhile.
    ///
    /// - Returns: Whether it ended with success.
    @discardableResult
    func wait() -> Bool {
        let former = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, former) }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        return status == 0
    }
}

/// The program that shows pages on the web.
struct Browser: Sendable, Hashable {
    /// Command lines; the first that succeeds shows the page.
    let commands: [String]

    /// The programs of `BROWSER`, separated by colons, and then the desktop's.
    init(environment: [String: String]) {
        commands = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init) + ["xdg-open"]
    }

    /// Shows a file.
    ///
    /// - Returns: Whether a program could.
    func open(_ path: String) -> Bool {
        commands.contains { ShellProcess("exec 2>/dev/null; \($0)", [path])?.wait() ?? false }
    }
}
