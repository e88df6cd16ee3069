#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Time as the runtime sees it, handed in from outside so that tests neither sleep nor flake.
public protocol RunClock: Sendable {
    /// Nanoseconds on a clock that never goes back; only differences mean anything.
    func nanoseconds() -> UInt64
    /// Milliseconds since 1970, for what people and clients read.
    func epochMilliseconds() -> Int64
    /// Waits. Returns early when the task is cancelled.
    func sleep(nanoseconds: UInt64) async
    /// Keeps the thread waiting, where it is called from what cannot be suspended.
    func block(nanoseconds: UInt64)
}

extension RunClock {
    /// Waits for as long by the machine's clock, or until a signal comes.
    public func block(nanoseconds: UInt64) {
        var time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        _ = nanosleep(&time, nil)
    }
}

/// The machine's clocks.
public struct SystemClock: RunClock {
    /// They have no state: any two are the same.
    public init() {}

    /// Time since the machine was started (`CLOCK_MONOTONIC`).
    public func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The time of day (`CLOCK_REALTIME`), which an administrator may set back.
    public func epochMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Waits for as long at least; not at all in a task that is cancelled.
    public func sleep(nanoseconds: UInt64) async {
        try? await Task.sleep(nanoseconds: nanoseconds)
    }
}
