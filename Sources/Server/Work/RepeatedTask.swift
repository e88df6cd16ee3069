import System

/// Work that a ticker begins again and again, one piece at a time.
final class RepeatedTask: Sendable {
    /// A piece of work.
    typealias Work = @Sendable () async -> Void

    private struct State: Sendable {
        var task: Task<Void, Never>?
        var isStopping = false
    }

    private let state = Guarded(State())

    /// Begins the next piece, if none is under way.
    ///
    /// - Parameters:
    ///   - threads: The threads of the work; nil for those of all tasks.
    ///   - next: Says what to do; nil if nothing is due. It is not called while a piece is under way.
    func begin(on threads: ThreadPool? = nil, _ next: () -> Work?) {
        state.withLock { state in
            guard state.task == nil, !state.isStopping, let work = next() else { return }
            state.task = Task(executorPreference: threads) { [self] in
                await work()
                self.state.withLock { $0.task = nil }
            }
        }
    }

    /// Begins nothing more, and waits for what is under way.
    ///
    /// - Parameter cancels: Whether it need not be finished.
    func stop(canceling cancels: Bool = false) async {
        let task = state.withLock { state in
            state.isStopping = true
            return state.task
        }
        if cancels { task?.cancel() }
        await task?.value
    }
}
