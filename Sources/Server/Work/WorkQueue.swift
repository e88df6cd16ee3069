import System

/// Which units run, on which lane, and which wait. Clients whose units wait take turns; the units of one client run in
/// the order of their arrival.
package struct WorkQueue<Unit: Sendable>: Sendable {
    /// Action for a new unit.
    package enum Admission: Sendable, Hashable {
        case run(onLane: Int)
        case wait
        case refuse(Places.Refusal)
    }

    private var freeLanes: [Int]
    /// The client of the unit that runs on each lane; nil if the lane is free.
    private var clients: [String?]
    private let lanesPerClient: Int
    private let places: Places
    /// The units that wait. No queue is empty.
    private var queues: [String: FIFOQueue<Unit>] = [:]
    /// The clients whose units wait, the one whose turn is next first.
    private var turns: [String] = []
    /// Number of units that wait.
    package private(set) var waiting = 0

    /// - Parameters:
    ///   - lanesPerClient: Maximum number of lanes with units of one client; nil for all.
    ///   - waiting: Number of ``Places`` for units that wait.
    package init(lanes: Int, lanesPerClient: Int? = nil, waiting: Int) {
        freeLanes = Array((0..<lanes).reversed())
        clients = Array(repeating: nil, count: lanes)
        self.lanesPerClient = max(1, lanesPerClient ?? lanes)
        places = Places(waiting)
    }

    /// Number of units that run.
    package var running: Int { clients.count - freeLanes.count }

    private func mayRun(_ client: String) -> Bool { clients.count { $0 == client } < lanesPerClient }

    /// Adds a unit. The caller starts it if it is to run.
    package mutating func add(_ unit: Unit, of client: String = "") -> Admission {
        if mayRun(client), let lane = freeLanes.popLast() {
            clients[lane] = client
            return .run(onLane: lane)
        }
        let own = queues[client]?.count ?? 0
        let isAlone = own == waiting && clients.allSatisfy { $0 == nil || $0 == client }
        if let refusal = places.refusal(taken: waiting, own: own, isAlone: isAlone) {
            return .refuse(refusal)
        }
        if queues[client] == nil { turns.append(client) }
        queues[client, default: FIFOQueue()].append(unit)
        waiting += 1
        return .wait
    }

    /// A unit has ended.
    ///
    /// - Returns: The unit that runs on its lane next.
    package mutating func end(onLane lane: Int) -> Unit? {
        clients[lane] = nil
        guard let place = turns.firstIndex(where: mayRun) else {
            freeLanes.append(lane)
            return nil
        }
        let client = turns.remove(at: place)
        let unit = queues[client]?.popFirst()
        if queues[client]?.count == 0 { queues[client] = nil } else { turns.append(client) }
        waiting -= 1
        clients[lane] = client
        return unit
    }
}
