import CSpawn
package import Foundation

/// A process that a test starts, reads from and waits for.
///
/// Uses posix_spawn instead of Foundation's `Process`: for each name in /proc/self/fd that one copies 256
/// bytes, which reads past the end of its buffer with some 1,350 open descriptors, as when all tests run at
/// once. This occasionally crashes.
package final class ChildProcess {
    /// A standard stream of the process.
    package enum Stream {
        /// /dev/null.
        case nothing
        /// A pipe to this process.
        case pipe
        /// An open file; the process gets a copy of its descriptor.
        case file(FileHandle)
    }

    /// Its end.
    package struct Ending: Sendable, Equatable {
        /// Its exit status, or the number of the signal that ended it.
        package var status: Int32
        /// Whether a signal ended it.
        package var isSignal: Bool
    }

    /// It could not be started or waited for.
    package struct Failed: Error {
        /// The program.
        package var path: String
        /// The system's error number.
        package var code: Int32
    }

    /// Its process id, which the system may reuse after its end is known.
    package let identifier: pid_t
    /// The writing end of its standard input; nil if that is not a pipe.
    package let input: FileHandle?
    /// The reading end of its standard output; nil if that is not a pipe.
    package let output: FileHandle?
    /// The reading end of its standard error; nil if that is not a pipe.
    package let errors: FileHandle?
    private let path: String
    /// Held while a process starts (``whileNoneStarts(_:)``).
    private static let starting = NSLock()
    private var ending: Ending?

    /// Starts it. It inherits only its three streams, and its signals have their default effect.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - environment: Replaces this process's environment if it is given.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil,
        input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .nothing
    ) throws {
        self.path = path
        Self.starting.lock()
        defer { Self.starting.unlock() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }

        var (own, others): ([FileHandle?], [FileHandle]) = ([], [])
        for (number, stream) in [input, output, errors].enumerated() {
            let given: Int32
            switch stream {
            case .nothing:
                own.append(nil)
                let mode = number == 0 ? O_RDONLY : O_WRONLY
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", mode, 0)
                continue
            case .file(let file):
                own.append(nil)
                given = file.fileDescriptor
            case .pipe:
                let pipe = Pipe()
                let ends = [pipe.fileHandleForReading, pipe.fileHandleForWriting]
                own.append(ends[number == 0 ? 1 : 0])
                others.append(ends[number == 0 ? 0 : 1])
                given = others[others.count - 1].fileDescriptor
            }
            posix_spawn_file_actions_adddup2(&actions, given, Int32(number))
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)

        // Pool threads block signals, and a process started from one would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        (self.input, self.output, self.errors) = (own[0], own[1], own[2])

        let variables = environment ?? ProcessInfo.processInfo.environment
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, path, &actions, &attributes, &words, &settings)
        self.identifier = identifier
        for end in others { try end.close() }
        guard code == 0 else {
            ending = Ending(status: code, isSignal: false)
            throw Failed(path: path, code: code)
        }
    }

    /// Runs a closure while no process is started. Scripts that are to be run must be written this way: a
    /// child that has just been forked may still have the file open for writing, and running it would fail as
    /// busy.
    package static func whileNoneStarts<Done>(_ body: () throws -> Done) rethrows -> Done {
        starting.lock()
        defer { starting.unlock() }
        return try body()
    }

    /// A process that is not waited for is killed.
    deinit {
        guard ending == nil else { return }
        kill(identifier, SIGKILL)
        _ = try? wait()
    }

    /// Sends it a signal, unless its end is known.
    package func send(_ signal: Int32) {
        if ending == nil { kill(identifier, signal) }
    }

    /// Whether it has not ended yet.
    package var isRunning: Bool { ((try? look(WNOHANG)) ?? nil) == nil }

    /// Waits for bytes at the reading end of something whose other end this process holds too, so that reading would
    /// never end.
    ///
    /// - Throws: If the process ends before.
    package func waitForBytes(at end: FileHandle) throws {
        var polled = pollfd(fd: end.fileDescriptor, events: Int16(POLLIN), revents: 0)
        var isOver = false
        while poll(&polled, 1, isOver ? 0 : 100) <= 0 {
            if isOver { throw Failed(path: path, code: ending?.status ?? 0) }
            // What it did just before its end counts.
            isOver = !isRunning
        }
        _ = end.availableData
    }

    /// Waits for its end.
    @discardableResult package func wait() throws -> Ending {
        while true {
            if let ending = try look(0) { return ending }
        }
    }

    /// - Returns: Its ending; nil if it is still running.
    private func look(_ options: Int32) throws -> Ending? {
        if let ending { return ending }
        var word: Int32 = 0
        let found = waitpid(identifier, &word, options)
        if found == 0 || (found < 0 && errno == EINTR) { return nil }
        guard found == identifier else { throw Failed(path: path, code: errno) }
        let signal = word & 0x7F
        ending =
            signal == 0
            ? Ending(status: word >> 8 & 0xFF, isSignal: false) : Ending(status: signal, isSignal: true)
        return ending
    }
}
