package import Application

/// Which orders wait, and which one runs. The store admits one writer, so orders run one after the other.
package struct JobSchedule: Sendable {
    private var waiting: [KeptOrder] = []
    package private(set) var running: KeptOrder?
    package private(set) var isStopping = false

    package init() {}

    /// Number of orders that wait.
    package var waitingCount: Int { waiting.count }

    package mutating func add(_ order: KeptOrder) { waiting.append(order) }

    /// Takes the next order, to run it; nil if there is none, or one runs already.
    package mutating func next() -> KeptOrder? {
        guard running == nil, !isStopping, !waiting.isEmpty else { return nil }
        running = waiting.removeFirst()
        return running
    }

    /// The running order has ended.
    package mutating func end() { running = nil }

    /// Takes an order of a job out of those that wait; nil if none waits.
    package mutating func withdraw(_ job: String) -> KeptOrder? {
        guard let place = waiting.firstIndex(where: { $0.order.job == job }) else { return nil }
        return waiting.remove(at: place)
    }

    /// Whether an order of a job waits or runs.
    package func has(_ job: String) -> Bool {
        running?.order.job == job || waiting.contains { $0.order.job == job }
    }

    /// No further order is begun.
    package mutating func stop() { isStopping = true }
}
