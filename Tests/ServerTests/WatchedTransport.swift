import BooksTrack
import Foundation
import LinuxTransport

/// The client's own transport, which tells a test what arrives.
struct WatchedTransport: Transport {
    enum Arrival: Sendable {
        /// The head of an answer, or a piece of its body.
        case part
        /// A message over a WebSocket.
        case message
    }

    let arrivals: AsyncStream<Arrival>
    private let noted: AsyncStream<Arrival>.Continuation
    private let transport = CurlTransport()

    init() { (arrivals, noted) = AsyncStream.makeStream() }

    func exchange(_ request: TransportRequest) -> AsyncThrowingStream<TransportPart, any Error> {
        watched(transport.exchange(request), .part)
    }

    func openSocket(_ request: TransportRequest) -> TransportSocket {
        var socket = transport.openSocket(request)
        socket.messages = watched(socket.messages, .message)
        return socket
    }

    /// Waits for the first message over a WebSocket.
    func waitForMessage() async { for await arrival in arrivals where arrival == .message { return } }

    /// The same elements. Each is noted once it was passed on.
    private func watched<Element>(
        _ stream: AsyncThrowingStream<Element, any Error>, _ arrival: Arrival
    ) -> AsyncThrowingStream<Element, any Error> where Element: Sendable {
        let (watched, continuation) = AsyncThrowingStream.makeStream(
            of: Element.self, throwing: (any Error).self)
        let task = Task {
            do {
                for try await element in stream {
                    continuation.yield(element)
                    noted.yield(arrival)
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return watched
    }
}
