import Foundation
import Pipeline

/// SIGINT and SIGTERM. While a run listens, the first asks it to stop after the batch in hand and the second ends the
/// process at once; while none does, the first ends it.
///
/// They are waited for on a thread of their own, so that nothing has to be safe inside a signal handler. Signals
/// belong to the process, and so does this: there is one.
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

    /// Begins to wait. Called before any other thread is started: all of them inherit that the two are blocked.
    func start() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let (state, waited) = (state, set)
        Thread.detachNewThread {
            var waited = waited
            while true {
                var number: Int32 = 0
                guard sigwait(&waited, &number) == 0 else { return }
                let signal = number
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

    /// Has the first signal raise `stop`.
    func raise(_ stop: StopSignal, telling tell: @escaping @Sendable () -> Void) {
        state.withLock {
            $0.listener = {
                stop.raise()
                tell()
            }
        }
    }
}
