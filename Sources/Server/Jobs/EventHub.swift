import System

/// The jobs' event logs, and who waits for news about which job.
package final class EventHub: Sendable {
    private struct Topic: Sendable {
        var log: JobEventLog
        var watchers: [Int: @Sendable () -> Void] = [:]
        /// Clients that are connected and have not said that they are ready.
        var unready = 0
    }

    private struct State: Sendable {
        var topics: [String: Topic] = [:]
        var lastWatcher = 0
    }

    private let state = Guarded(State())

    package init() {}

    /// Adds a job, or replaces its history.
    package func open(_ job: String, _ log: JobEventLog) {
        state.withLock { $0.topics[job, default: Topic(log: log)].log = log }
    }

    /// Forgets a job. Its watchers receive no further messages.
    package func close(_ job: String) {
        state.withLock { _ = $0.topics.removeValue(forKey: job) }
    }

    /// The history of a job; nil if there is none.
    package subscript(_ job: String) -> JobEventLog? { state.withLock { $0.topics[job]?.log } }

    /// Number of watchers.
    package var watcherCount: Int { state.withLock { $0.topics.values.reduce(0) { $0 + $1.watchers.count } } }

    /// Changes the history of a job, and wakes its watchers.
    package func update<Result: Sendable>(
        _ job: String, _ change: @Sendable (inout JobEventLog) -> Result
    ) -> Result? {
        let (result, watchers) = state.withLock { state -> (Result?, [@Sendable () -> Void]) in
            guard var topic = state.topics[job] else { return (nil, []) }
            let result = change(&topic.log)
            state.topics[job] = topic
            return (result, Array(topic.watchers.values))
        }
        // Watchers look into the hub, so they are woken without its lock.
        for wake in watchers { wake() }
        return result
    }

    /// Calls a closure whenever there is news about a job.
    ///
    /// - Returns: A number for ``leave(_:_:)``; nil if there is no such job.
    package func watch(_ job: String, waking wake: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard state.topics[job] != nil else { return nil }
            state.lastWatcher += 1
            state.topics[job]?.watchers[state.lastWatcher] = wake
            return state.lastWatcher
        }
    }

    /// A client of a job has connected, and will say when it is ready.
    package func expectReady(_ job: String) { state.withLock { $0.topics[job]?.unready += 1 } }

    /// A client is ready, or has left.
    package func noteReady(_ job: String) {
        state.withLock { state in
            if let count = state.topics[job]?.unready, count > 0 { state.topics[job]?.unready = count - 1 }
        }
    }

    /// Whether a client of a job is connected and not ready.
    package func awaitsReady(_ job: String) -> Bool { state.withLock { $0.topics[job]?.unready ?? 0 > 0 } }

    /// The watcher receives no further messages.
    package func leave(_ job: String, _ watcher: Int) {
        state.withLock { _ = $0.topics[job]?.watchers.removeValue(forKey: watcher) }
    }
}
