public import Pipeline

/// A clock that stands still until somebody waits on it: waiting moves it on, so no test sleeps.
public final class ManualClock: RunClock {
    private let time: Guarded<UInt64>
    private let epoch: Int64

    /// - Parameter epoch: Milliseconds since 1970 at which it starts.
    public init(epoch: Int64 = 1_700_000_000_000) {
        time = Guarded(0)
        self.epoch = epoch
    }

    /// Nanoseconds that were waited for since it was made.
    public func nanoseconds() -> UInt64 { time.withLock { $0 } }

    /// The epoch and what was waited for since.
    public func epochMilliseconds() -> Int64 { epoch + Int64(nanoseconds() / 1_000_000) }

    /// Moves the clock on at once.
    public func sleep(nanoseconds: UInt64) async {
        time.withLock { $0 += nanoseconds }
        await Task.yield()
    }

    /// Moves the clock on at once.
    public func block(nanoseconds: UInt64) { time.withLock { $0 += nanoseconds } }
}
