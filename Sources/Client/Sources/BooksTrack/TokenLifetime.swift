import Foundation

/// When a job's token ends. The service renews a token for two hours if its holder is connected in its last half hour; it
/// looks once a minute.
struct TokenLifetime: Sendable, Hashable {
    /// Seconds for which a token is made and renewed.
    private static let whole = 2 * 3_600.0
    /// Seconds before its end from which it is renewed.
    private static let renewal = 1_800.0
    /// Seconds within which the service has certainly looked.
    private static let tick = 60.0

    /// Until then the token is certainly valid.
    private(set) var end: Date
    private var connectedSince: Date?

    init(end: Date) { self.end = end }

    /// Something has arrived over a stream or WebSocket.
    mutating func hear(at now: Date) {
        let since = connectedSince ?? now
        connectedSince = since
        // The earliest moment at which the service can have renewed it.
        let renewed = max(since, end.addingTimeInterval(-Self.renewal))
        guard now < end, now.timeIntervalSince(renewed) >= Self.tick else { return }
        end = renewed.addingTimeInterval(Self.whole)
    }

    /// The stream or WebSocket has ended.
    mutating func disconnect() { connectedSince = nil }
}
