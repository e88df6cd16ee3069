package import System

/// Calls a closure again and again, on its own thread: for deadlines and heartbeats, of which thousands need
/// no timer each.
package final class Ticker: Sendable {
    /// The closure is a field: one that is read out of a generic box itself is wrapped again by each read,
    /// and its calls need more stack each time.
    private struct Action { let run: @Sendable () -> Void }

    /// Nil when it has stopped: the objects it holds are released at once, not after the last pause.
    private let action: Guarded<Action?>

    /// - Parameter milliseconds: The pause between two calls.
    /// - Throws: `.temporary` if the process may not have another thread.
    package init(
        every milliseconds: UInt64, clock: any RunClock = SystemClock(),
        _ tick: @escaping @Sendable () -> Void
    ) throws(ETLError) {
        let guarded = Guarded<Action?>(Action(run: tick))
        action = guarded
        let isStarted = SystemThread.start(stackBytes: 256 << 10) {
            while true {
                do {
                    guard let action = guarded.withLock({ $0 }) else { return }
                    action.run()
                }
                clock.block(nanoseconds: milliseconds * 1_000_000)
            }
        }
        guard isStarted else { throw ETLError(.temporary, "No thread can be started.") }
    }

    /// Makes no further calls; one may be under way.
    package func stop() { action.withLock { $0 = nil } }

    deinit { stop() }
}
