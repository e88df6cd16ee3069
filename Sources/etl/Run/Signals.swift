import Foundation
import Glibc
import Pipeline
import Synchronization

/// Where the handler writes what came. It is set before a handler is installed: all that runs inside one is a load
/// and write(2), which POSIX allows there.
private let wakeUp = Atomic<Int32>(-1)

/// SIGINT and SIGTERM. While a run listens, the first asks it to stop after the batch in hand and the second ends the
/// process at once; while none does, the first ends it. SIGHUP ends no run.
///
/// A handler hands the signal through a pipe to a thread of its own, where anything may be done. Waiting for blocked
/// signals would not do: Dispatch parks the main thread with all of them open, and there the default action ends the
/// process.
final class Signals: Sendable {
    static let process = Signals()

    private struct State: Sendable {
        var listener: (@Sendable () -> Void)?
        var received: Int32?
    }

    private let state = Guarded(State())

    private init() {}

    /// The signal that came, if one did.
    var received: Int32? { state.withLock { $0.received } }

    /// Begins to listen. A signal that whoever started the process had it ignore stays ignored, as for jobs that a
    /// script puts into the background.
    func start() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wakeUp.store(ends[1], ordering: .relaxed)
        listen(at: ends[0])
        for number in [SIGINT, SIGTERM] {
            let former = signal(number) { number in
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(wakeUp.load(ordering: .relaxed), &byte, 1)
                errno = error
            }
            if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                signal(number, SIG_IGN)
            }
        }
    }

    private func listen(at end: Int32) {
        let state = state
        Thread.detachNewThread {
            while true {
                var byte: UInt8 = 0
                let count = read(end, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1 else { return }
                let signal = Int32(byte)
                let listener = state.withLock { state -> (@Sendable () -> Void)? in
                    defer { state.received = signal }
                    return state.received == nil ? state.listener : nil
                }
                // 130 for SIGINT, 143 for SIGTERM.
                guard let listener else { _exit(128 + signal) }
                listener()
            }
        }
    }

    /// Has the process go on without its terminal. Nobody is there to begin anew what takes hours; who shows, lists or
    /// serves does it for whoever sits at the terminal, and ends with it.
    func outliveTerminal() { signal(SIGHUP, SIG_IGN) }

    /// Has the first signal raise `stop`.
    func raise(_ stop: StopSignal, reporting tell: @escaping @Sendable () -> Void) {
        state.withLock {
            $0.listener = {
                stop.raise()
                tell()
            }
        }
    }
}

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
