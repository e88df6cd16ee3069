import CSpawn
import Glibc
import Pipeline
import System

/// A running child process whose standard input and output are pipes to this process. Its standard error is
/// that of this process.
///
/// Not thread-safe: ``LineProgram`` owns it.
final class ProgramProcess {
    /// Why there is no further answer.
    enum Problem: Error, Equatable {
        case ended, silent, stopped, tooLong
    }

    /// End of the process.
    enum Ending: Equatable {
        case exited(Int32)
        case killed(Int32)

        /// One sentence for the user.
        var words: String {
            switch self {
            case .exited(let status): "The program ended with status \(status) without an answer."
            case .killed(let signal): "The program was killed by signal \(signal)."
            }
        }
    }

    /// Maximum time in milliseconds until a stop is noticed.
    private static let longestPoll: UInt64 = 100

    private let identifier: pid_t
    private let input: Int32
    private let output: Int32
    private var unsent: [UInt8] = []
    private var sent = 0
    private var received: [UInt8] = []
    /// Number of received bytes that were returned as lines.
    private var taken = 0
    /// Number of received bytes before which there is no further line end.
    private var searched = 0
    private var ending: Ending?

    /// Starts a program with its arguments. It is in its own process group, so that Ctrl-C lets the batches under way
    /// finish.
    init(_ command: [String]) throws(SpawnedProcess.CannotStart) {
        (identifier, input, output) = try Self.start(command)
    }

    private static func start(_ command: [String]) throws(SpawnedProcess.CannotStart) -> (pid_t, Int32, Int32)
    {
        let (toChild, fromChild) = (try makePipe(), try makePipe())
        defer {
            close(toChild.read)
            close(fromChild.write)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild.read, 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild.write, 1)
        // Nothing else is inherited: as long as a program has the write end of another's pipe, that pipe has no
        // end.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        let identifier: pid_t
        do throws(SpawnedProcess.CannotStart) {
            identifier = try SpawnedProcess.start(command, &actions, hasOwnGroup: true)
        } catch {
            close(toChild.write)
            close(fromChild.read)
            throw error
        }
        for end in [toChild.write, fromChild.read] {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
        return (identifier, toChild.write, fromChild.read)
    }

    private static func makePipe() throws(SpawnedProcess.CannotStart) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SpawnedProcess.CannotStart(code: errno) }
        return (ends[0], ends[1])
    }

    deinit { _ = end() }

    /// Appends lines to those that are sent while answers are awaited.
    func send(_ lines: ArraySlice<[UInt8]>) {
        unsent.removeFirst(sent)
        sent = 0
        for line in lines { unsent += line + [UInt8(ascii: "\n")] }
    }

    /// The next line, without its end.
    ///
    /// - Parameters:
    ///   - limit: Maximum wait.
    ///   - stop: Once it is raised, it is not waited for.
    func nextLine(within limit: Duration, unless stop: StopSignal) -> Result<[UInt8], Problem> {
        let clock = SystemClock()
        let deadline = clock.nanoseconds() + UInt64(max(1, limit.milliseconds)) * 1_000_000
        while true {
            if let line = takeLine() { return .success(line) }
            guard received.count <= LineProgram.maximumAnswer else { return .failure(.tooLong) }
            let now = clock.nanoseconds()
            guard now < deadline else { return .failure(.silent) }
            guard !stop.isRaised else { return .failure(.stopped) }
            var waiting = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: sent < unsent.count ? input : -1, events: Int16(POLLOUT), revents: 0),
            ]
            let milliseconds = Int32(min((deadline - now) / 1_000_000 + 1, Self.longestPoll))
            guard poll(&waiting, nfds_t(waiting.count), milliseconds) > 0 else { continue }
            if waiting[1].revents != 0 { sendMore() }
            if waiting[0].revents != 0, !receiveMore() {
                return takeLine().map { .success($0) } ?? .failure(.ended)
            }
        }
    }

    private func takeLine() -> [UInt8]? {
        guard let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            received.removeFirst(taken)
            (taken, searched) = (0, received.count)
            return nil
        }
        defer { (taken, searched) = (end + 1, end + 1) }
        return Array(received[taken..<end])
    }

    /// Sends as much as the pipe takes. If the program has closed it, its output so far still counts.
    private func sendMore() {
        let count = unsent[sent...].withUnsafeBytes { Self.write($0, to: input) }
        sent = count >= 0 || errno == EAGAIN || errno == EINTR ? sent + max(0, count) : unsent.count
    }

    /// Writes without the signal that a closed pipe would raise: it is blocked in this thread meanwhile.
    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int {
        var (pipe, before) = (sigset_t(), sigset_t())
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let count = Glibc.write(file, bytes.baseAddress, bytes.count)
        let code = errno
        if count < 0, code == EPIPE {
            var now = timespec()
            sigtimedwait(&pipe, nil, &now)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = code
        return count
    }

    /// Receives available output; false at the end.
    private func receiveMore() -> Bool {
        let block = 64 << 10
        let start = received.count
        received.append(contentsOf: repeatElement(0, count: block))
        let count = received.withUnsafeMutableBytes { bytes in
            read(output, bytes.baseAddress?.advanced(by: start), block)
        }
        received.removeLast(block - max(0, count))
        return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }

    /// Ends it, if it has not ended, and says how it ended.
    ///
    /// - Parameter isEnding: Whether it has closed its output, so that it will probably exit.
    func end(isEnding: Bool = false) -> Ending {
        if let ending { return ending }
        close(input)
        close(output)
        var word: Int32 = 0
        var found = waitpid(identifier, &word, WNOHANG)
        for _ in 0..<1_000 where isEnding && found == 0 {
            SystemClock().block(nanoseconds: 1_000_000)
            found = waitpid(identifier, &word, WNOHANG)
        }
        // A program that has exited has a status; any other is killed with its group.
        if found != identifier {
            kill(-identifier, SIGKILL)
            while waitpid(identifier, &word, 0) < 0, errno == EINTR {}
        }
        let signal = word & 0x7F
        let ending = signal == 0 ? Ending.exited(word >> 8 & 0xFF) : .killed(signal)
        self.ending = ending
        return ending
    }
}
