import BooksTrack
import Foundation
import LinuxTransport
import Testing

@testable import Server

extension RunningServer {
    /// The address for clients.
    var address: URL {
        get throws { try #require(URL(string: "http://127.0.0.1:\(server.port)")) }
    }

    /// A client that gives up nothing by itself.
    func app(
        attempts: Int = 3, transport: any Transport = CurlTransport(),
        date: @escaping @Sendable () -> Date = { Date() }
    ) throws -> BooksTrackClient {
        BooksTrackClient(
            .init(server: try address, retries: RetryPolicy(attempts: attempts)), transport: transport,
            date: date)
    }
}

extension BooksTrackClient {
    /// The events of a job to their end.
    nonisolated func updates(of job: Job, over channels: Set<EventChannel>) async throws -> [JobUpdate] {
        var updates: [JobUpdate] = []
        for try await update in events(of: job, over: channels) { updates.append(update) }
        return updates
    }
}
