import System

/// The time that the preview of a file has. It ends when its client leaves.
struct PreviewTime: Sendable {
    /// Raised after half of the time: then only the first records are looked at.
    let halfTime = StopSignal()
    /// Raised after all of the time.
    let fullTime = StopSignal()
    private let watch: Task<Void, Never>?

    /// - Parameters:
    ///   - limit: In nanoseconds.
    ///   - isAbandoned: Whether the client has left.
    init(_ limit: UInt64, clock: any RunClock, isAbandoned: @escaping @Sendable () -> Bool) {
        let (began, halfTime, fullTime) = (clock.nanoseconds(), halfTime, fullTime)
        @Sendable func isOver() -> Bool {
            let passed = clock.nanoseconds() - began
            let isOver = passed >= limit || isAbandoned()
            if isOver || passed >= limit / 2 { halfTime.raise() }
            if isOver { fullTime.raise() }
            return isOver
        }
        // On other threads than the preview's, which is busy.
        watch =
            isOver()
            ? nil
            : Task {
                while !Task.isCancelled, !isOver() { await clock.sleep(nanoseconds: Self.interval) }
            }
    }

    /// The preview is done.
    func end() { watch?.cancel() }

    /// Nanoseconds between two looks at the clock and the client.
    private static let interval: UInt64 = 50_000_000
}
