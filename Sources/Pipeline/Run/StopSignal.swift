/// A request to stop a run, from a signal or another process. The run notices it wherever it waits.
public final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Guarded(State())

    /// A signal that is not raised. A raised signal cannot be reset, so each run has its own.
    public init() {}

    /// Whether the run should stop.
    public var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Asks the run to stop. Batches under way are finished and committed.
    public func raise() {
        let waiters = state.withLock { state in
            state.isRaised = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the signal is raised or the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRaised || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }

    /// Waits for some time, but no longer than until this signal or `other` is raised.
    package func pause(nanoseconds: UInt64, on clock: any RunClock, or other: StopSignal? = nil) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await clock.sleep(nanoseconds: nanoseconds) }
            group.addTask { await self.wait() }
            if let other { group.addTask { await other.wait() } }
            await group.next()
            group.cancelAll()
        }
    }
}
