package import System

/// Runs work that may block, on a fixed number of lanes of its own. A bounded number of further units wait; beyond
/// that the pool refuses, so that a server under load answers quickly that it is busy. Clients take turns, and none has all
/// places.
package final class WorkPool: Sendable {
    /// A unit of work. It gets the number of its lane, from 0. Units of one lane never run at the same time.
    package typealias Unit = @Sendable (_ lane: Int) async -> Void

    private let lanes: [any TaskExecutor]
    /// The threads of a pool that gives precedence to others; nil if it has queues.
    private let threads: ThreadPool?
    private let state: Guarded<WorkQueue<Unit>>

    /// - Parameters:
    ///   - name: The name of its queues for debuggers.
    ///   - lanes: How many units run at the same time.
    ///   - lanesPerClient: How many of them are units of one client; nil for all.
    ///   - waiting: How many further units may wait.
    package init(_ name: String, lanes: Int, lanesPerClient: Int? = nil, waiting: Int) {
        self.lanes = (0..<max(1, lanes)).map { QueueExecutor(label: "etl.\(name).\($0)") }
        threads = nil
        state = Guarded(WorkQueue(lanes: max(1, lanes), lanesPerClient: lanesPerClient, waiting: waiting))
    }

    /// A pool whose units run when other work leaves processors free.
    ///
    /// - Throws: `.temporary` if the process may not have as many threads.
    package init(yieldingLanes lanes: Int, lanesPerClient: Int, waiting: Int) throws(ETLError) {
        let threads = try ThreadPool(threads: max(1, lanes), niceness: 10)
        self.threads = threads
        self.lanes = Array(repeating: threads, count: max(1, lanes))
        state = Guarded(WorkQueue(lanes: max(1, lanes), lanesPerClient: lanesPerClient, waiting: waiting))
    }

    deinit { threads?.end() }

    /// Number of units that may run at the same time.
    package var laneCount: Int { lanes.count }

    /// Number of units that run and that wait now.
    package var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting) } }

    /// Starts a unit, or lets it wait.
    ///
    /// - Parameter client: The client that waits for it.
    /// - Returns: Why it may not wait; nil if it runs or waits.
    package func submit(of client: String = "", _ unit: @escaping Unit) -> Places.Refusal? {
        switch state.withLock({ $0.add(unit, of: client) }) {
        case .run(let lane): start(unit, on: lane)
        case .wait: break
        case .refuse(let refusal): return refusal
        }
        return nil
    }

    private func start(_ unit: @escaping Unit, on lane: Int) {
        Task(executorPreference: lanes[lane]) { [self] in
            await unit(lane)
            if let next = state.withLock({ $0.end(onLane: lane) }) { start(next, on: lane) }
        }
    }
}
