#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The source of time. It is injected, so that tests do not sleep and do not depend on real time.
package protocol RunClock: Sendable {
    /// Nanoseconds on a monotonic clock. Only differences are meaningful.
    func nanoseconds() -> UInt64
    /// Milliseconds since 1970, for users and clients.
    func epochMilliseconds() -> Int64
    /// Suspends the task. Returns early if the task is cancelled.
    func sleep(nanoseconds: UInt64) async
    /// Blocks the thread, for callers that cannot suspend.
    func block(nanoseconds: UInt64)
}

extension RunClock {
    /// Blocks for that long by the system's clock, or until a signal arrives.
    package func block(nanoseconds: UInt64) {
        var time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        _ = nanosleep(&time, nil)
    }
}

/// The system's clocks.
package struct SystemClock: RunClock {
    /// The type has no state: all values are equal.
    package init() {}

    /// Time since the system started (`CLOCK_MONOTONIC`).
    package func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The time of day (`CLOCK_REALTIME`), which may jump backwards if the system's time is set.
    package func epochMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Suspends for at least that long; does not wait in a cancelled task.
    package func sleep(nanoseconds: UInt64) async {
        try? await Task.sleep(nanoseconds: nanoseconds)
    }
}
