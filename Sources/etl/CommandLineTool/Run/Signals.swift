import FoundationEssentials
import Glibc
import Synchronization
package import System

/// The pipe that the handler writes to. It is set before a handler is installed. A handler only loads this
/// value and calls write(2), which POSIX allows in a signal handler.
private let wakeUp = Atomic<Int32>(-1)

/// Handles SIGINT and SIGTERM. While a run listens, the first signal asks it to stop after the batches in
/// progress, and a later one ends the process at once (``StopRequests``). While no run listens, the first signal
/// ends the process. SIGHUP does not end a run, and lets a server read its files again.
///
/// The handler passes the signal through a pipe to a separate thread, which may call anything. Blocking
/// signals and waiting for them would not work: Dispatch parks the main thread with all signals unblocked,
/// where the default action ends the process.
package final class Signals: Sendable {
    package static let process = Signals()

    private struct State: Sendable {
        var listener: (@Sendable () -> Void)?
        var reload: (@Sendable () -> Void)?
        var received: Int32?
        var requests = StopRequests()
    }

    private let state = Guarded(State())

    private init() {}

    /// The latest signal received, if any.
    var received: Int32? { state.withLock { $0.received } }

    /// Starts listening. A signal that was ignored when the process started stays ignored, as for background
    /// jobs of a script.
    package func start() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wakeUp.store(ends[1], ordering: .relaxed)
        listen(at: ends[0])
        for number in [SIGINT, SIGTERM] {
            let former = signal(number, Self.passOn)
            if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                signal(number, SIG_IGN)
            }
        }
    }

    private static let passOn: @convention(c) (Int32) -> Void = { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(wakeUp.load(ordering: .relaxed), &byte, 1)
        errno = error
    }

    /// Makes SIGHUP call `reload`, on the thread of the signals.
    package func reload(_ reload: @escaping @Sendable () -> Void) {
        state.withLock { $0.reload = reload }
        signal(SIGHUP, Self.passOn)
    }

    /// Ends the process with a sentence if a mapped file loses pages that it had: SQLite maps catalogs into
    /// memory, and the system answers reading beyond the end of a truncated file with SIGBUS.
    ///
    /// Data that the run has committed stays. The handler only calls write(2) and _exit(2).
    package func explainLostPages() {
        signal(SIGBUS) { _ in
            let message: StaticString = """
                etl: error: A file was truncated by another program while it was open, most likely a catalog.
                  advice: Restore the file and run the command again. What was stored stays; a job continues where it stopped.

                """
            _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
            _exit(ExitStatus.inputOutput.rawValue)
        }
    }

    private func listen(at end: Int32) {
        let state = state
        _ = SystemThread.start {
            while true {
                var byte: UInt8 = 0
                let count = read(end, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1 else { return }
                let signal = Int32(byte)
                if signal == SIGHUP {
                    state.withLock { $0.reload }?()
                    continue
                }
                let (action, listener) = state.withLock { state in
                    let action = state.requests.add(at: SystemClock().nanoseconds())
                    if action != .ignore { state.received = signal }
                    return (action, state.listener)
                }
                // 130 for SIGINT, 143 for SIGTERM.
                guard let listener, action != .end else { _exit(128 + signal) }
                if action == .stop { listener() }
            }
        }
    }

    /// Lets the process continue when its terminal is closed, for work that takes hours. Commands that only
    /// display something or serve answers end with their terminal.
    func outliveTerminal() { signal(SIGHUP, SIG_IGN) }

    /// Makes the first signal call `report` and raise `stop`, in this order: the process can end at once then.
    package func raise(_ stop: StopSignal, reporting report: @escaping @Sendable () -> Void) {
        state.withLock {
            $0.listener = {
                report()
                stop.raise()
            }
        }
    }
}

/// Tells a request to stop that is repeated from one that arrives twice: timeout(1) sends a signal to its command and
/// then to the whole process group.
struct StopRequests: Sendable {
    /// Effect of a request.
    enum Action: Sendable, Hashable {
        /// The run stops after the batches in progress.
        case stop
        case ignore
        /// The process ends at once.
        case end
    }

    /// Time in which the same request may arrive again, in nanoseconds. No user presses keys that quickly.
    static let echo: UInt64 = 100_000_000

    private var first: UInt64?

    /// - Parameter now: Nanoseconds of a monotonic clock.
    mutating func add(at now: UInt64) -> Action {
        guard let first else {
            first = now
            return .stop
        }
        return now - first < Self.echo ? .ignore : .end
    }
}

/// Standard input, output and error as the process inherited them.
package enum StandardStreams {
    /// Opens `/dev/null` for each closed stream, in the mode that makes its use fail. Otherwise the next
    /// opened file would get that descriptor, and output would go into it.
    package static func fillGaps() {
        for (stream, mode) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ]
        where fcntl(stream, F_GETFD) < 0 {
            // open(2) returns the lowest free number, which is this one: all below are in use.
            _ = open("/dev/null", mode)
        }
    }
}
