import FakeServices

/// The requests to the fake services, with the measures of a polite client: maximum number of requests at
/// once and within one second.
enum FakeRequestsTable {
    static func of(_ server: FakeServer) -> Table {
        var table = Table(
            .init("service", isNeverCut: true), .init("requests", .right), .init("failed", .right),
            .init("peak concurrent", .right), .init("peak per second", .right))
        let requests = Dictionary(grouping: server.requests, by: \.service)
        let most = server.maxAtOnce
        for (service, requests) in requests.sorted(by: { $0.key < $1.key }) {
            table.add(
                service, HumanText.count(requests.count),
                HumanText.count(requests.count { $0.fault != nil }), HumanText.count(most[service] ?? 0),
                HumanText.count(maxWithinASecond(requests.map(\.at).sorted())))
        }
        return table
    }

    /// Maximum number of instants within any second. Instants are in nanoseconds, in ascending order.
    static func maxWithinASecond(_ instants: [UInt64]) -> Int {
        var (most, first) = (0, 0)
        for (index, instant) in instants.enumerated() {
            while instant - instants[first] >= 1_000_000_000 { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}
