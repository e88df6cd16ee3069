import FakeServices

/// What the fake services were asked, and what a polite client is measured by: the most requests at once, and the most
/// that came within any second.
enum FakeRequestsTable {
    static func of(_ server: FakeServer) -> Table {
        var table = Table(
            .init("service"), .init("requests", .right), .init("spoiled", .right), .init("at once", .right),
            .init("in a second", .right))
        let visits = Dictionary(grouping: server.visits, by: \.service)
        let most = server.maxAtOnce
        for (service, visits) in visits.sorted(by: { $0.key < $1.key }) {
            table.add(
                service, HumanText.count(visits.count),
                HumanText.count(visits.count { $0.fault != nil }), HumanText.count(most[service] ?? 0),
                HumanText.count(maxWithinASecond(visits.map(\.at).sorted())))
        }
        return table
    }

    /// The most instants, of some in order, that lie within any second. In nanoseconds.
    static func maxWithinASecond(_ instants: [UInt64]) -> Int {
        var (most, first) = (0, 0)
        for (index, instant) in instants.enumerated() {
            while instant - instants[first] >= 1_000_000_000 { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}
