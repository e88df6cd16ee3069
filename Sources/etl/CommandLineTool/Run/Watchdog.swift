package import System

/// Tells the supervisor that the process works, often enough (`WATCHDOG=1` of sd_notify(3)). A supervisor that does not hear
/// it restarts the process.
package final class Watchdog: Sendable {
    private let supervisor: Supervisor
    private let clock: any RunClock
    /// Nanoseconds between two messages, half of what the supervisor waits; nil if it does not wait for any.
    private let pause: UInt64?
    private let last = Guarded<UInt64?>(nil)

    package init(
        _ supervisor: Supervisor, _ environment: [String: String], processID: Int32,
        clock: any RunClock = SystemClock()
    ) {
        self.supervisor = supervisor
        self.clock = clock
        // The variables are inherited by children, for whom they are not meant.
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == processID } ?? true
        let microseconds = isMeant ? environment["WATCHDOG_USEC"].flatMap { UInt32($0) } : nil
        pause = microseconds.flatMap { $0 == 0 ? nil : UInt64($0) * 500 }
    }

    /// Sends the message if it is due. Call it twice a second while the process works.
    package func feed() {
        guard let pause else { return }
        let now = clock.nanoseconds()
        let isDue = last.withLock { last in
            if let last, now - last < pause { return false }
            last = now
            return true
        }
        if isDue { supervisor.tell("WATCHDOG=1") }
    }
}
