/// A request to stop a run, from a signal or another process. The run notices it wherever it waits.
package final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var dropsLaterBatches = false
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Guarded(State())

    /// A signal that is not raised. A raised signal cannot be reset, so each run has its own.
    package init() {}

    /// Whether the run should stop.
    package var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Whether the batches after the one that is written now are not committed. The next run reads them again.
    package var dropsLaterBatches: Bool { state.withLock { $0.dropsLaterBatches } }

    /// Asks the run to stop. Batches under way are finished and committed.
    package func raise() { raise(droppingLaterBatches: false) }

    /// Asks the run to stop.
    ///
    /// - Parameter dropsLaterBatches: Whether the batch that is written now is the last to be committed,
    ///   instead of those under way.
    package func raise(droppingLaterBatches dropsLaterBatches: Bool) {
        let waiters = state.withLock { state in
            state.isRaised = true
            state.dropsLaterBatches = state.dropsLaterBatches || dropsLaterBatches
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

extension StopSignal {
    /// Checks whether a file may be read on.
    ///
    /// - Throws: `temporary` if the run is to stop.
    package func check(reading path: String) throws(ETLError) {
        guard isRaised else { return }
        throw ETLError(
            .temporary, "Reading `\(path)` was interrupted.", advice: "Run the same command again.")
    }
}
