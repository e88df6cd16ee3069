import System

/// Runs work that may block, on a fixed number of its own queues. A bounded number of further units wait;
/// beyond that the pool refuses, so that a server under load answers quickly that it is busy.
package final class WorkPool: Sendable {
    /// A unit of work. It gets the number of its lane, from 0. Units of one lane never run at the same time.
    package typealias Unit = @Sendable (_ lane: Int) async -> Void

    private let lanes: [QueueExecutor]
    private let state: Guarded<WorkQueue<Unit>>

    /// - Parameters:
    ///   - name: The name of its queues for debuggers.
    ///   - lanes: Maximum number of concurrent units.
    ///   - waiting: Maximum number of further, waiting units.
    package init(_ name: String, lanes: Int, waiting: Int) {
        self.lanes = (0..<max(1, lanes)).map { QueueExecutor(label: "etl.\(name).\($0)") }
        state = Guarded(WorkQueue(lanes: max(1, lanes), waiting: waiting))
    }

    /// Number of units that may run at the same time.
    package var laneCount: Int { lanes.count }

    /// Number of units that run and that wait now.
    package var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting) } }

    /// Starts a unit, or lets it wait.
    ///
    /// - Returns: False if too many wait already.
    package func submit(_ unit: @escaping Unit) -> Bool {
        switch state.withLock({ $0.add(unit) }) {
        case .run(let lane): start(unit, on: lane)
        case .wait: break
        case .refuse: return false
        }
        return true
    }

    private func start(_ unit: @escaping Unit, on lane: Int) {
        Task(executorPreference: lanes[lane]) { [self] in
            await unit(lane)
            if let next = state.withLock({ $0.end(onLane: lane) }) { start(next, on: lane) }
        }
    }
}

/// Which units run, on which lane, and which wait, in the order of their arrival.
package struct WorkQueue<Unit: Sendable>: Sendable {
    /// Action for a new unit.
    package enum Admission: Sendable, Hashable {
        case run(onLane: Int)
        case wait
        case refuse
    }

    private var freeLanes: [Int]
    private let laneCount: Int
    private let limit: Int
    private var queue = FIFOQueue<Unit>()

    /// - Parameter waiting: Maximum number of units that wait.
    package init(lanes: Int, waiting: Int) {
        laneCount = lanes
        freeLanes = Array((0..<lanes).reversed())
        limit = waiting
    }

    /// Number of units that run.
    package var running: Int { laneCount - freeLanes.count }
    /// Number of units that wait.
    package var waiting: Int { queue.count }

    /// Adds a unit. The caller starts it if it is to run.
    package mutating func add(_ unit: Unit) -> Admission {
        if let lane = freeLanes.popLast() { return .run(onLane: lane) }
        guard waiting < limit else { return .refuse }
        queue.append(unit)
        return .wait
    }

    /// A unit has ended.
    ///
    /// - Returns: The unit that runs on its lane next.
    package mutating func end(onLane lane: Int) -> Unit? {
        guard let unit = queue.popFirst() else {
            freeLanes.append(lane)
            return nil
        }
        return unit
    }
}
