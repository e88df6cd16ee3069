package import Pipeline

/// Calls a closure again and again, on a thread of its own: for deadlines and heartbeats, of which thousands
/// need no timer each.
package final class Ticker: Sendable {
    private let stopped = Guarded(false)

    /// - Parameter milliseconds: The pause between two calls.
    /// - Throws: `.temporary` if the process may not have another thread.
    package init(
        every milliseconds: UInt64, clock: any RunClock = SystemClock(),
        _ tick: @escaping @Sendable () -> Void
    ) throws(StageFailure) {
        let stopped = stopped
        let isStarted = SystemThread.start(stackBytes: 256 << 10) {
            while !stopped.withLock({ $0 }) {
                tick()
                clock.block(nanoseconds: milliseconds * 1_000_000)
            }
        }
        guard isStarted else { throw StageFailure(.temporary, "No thread can be started.") }
    }

    /// Makes no further calls; one may be under way.
    package func stop() { stopped.withLock { $0 = true } }

    deinit { stop() }
}
