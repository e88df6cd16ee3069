import Foundation
import Synchronization

@testable import BooksTrack

/// Answers requests from a script, one after the other.
final class ScriptedTransport: Transport {
    enum Step: Sendable {
        case answer(Int, String, [String: String] = [:])
        /// The answer breaks off after its text.
        case broken(String)
        case unreachable
        /// There is no answer until the request is given up.
        case silence
    }

    /// A WebSocket: what arrives over it, and how it ends; nil if it stays open.
    struct Socket: Sendable {
        var messages: [String] = []
        var end: BooksTrackError?
    }

    private let steps: Mutex<[Step]>
    private let sockets: Mutex<[Socket]>
    private let sent = Mutex<[TransportRequest]>([])
    private let opened = Mutex<[TransportRequest]>([])
    private let said = Mutex<[String]>([])

    init(_ steps: [Step], sockets: [Socket] = []) {
        self.steps = Mutex(steps)
        self.sockets = Mutex(sockets)
    }

    /// The requests so far, without those for WebSockets.
    var requests: [TransportRequest] { sent.withLock { $0 } }
    /// The requests for WebSockets so far.
    var openings: [TransportRequest] { opened.withLock { $0 } }
    /// Texts sent over WebSockets so far.
    var texts: [String] { said.withLock { $0 } }

    func openSocket(_ request: TransportRequest) -> TransportSocket {
        opened.withLock { $0.append(request) }
        let socket = sockets.withLock {
            $0.isEmpty ? Socket(end: .unreachable("no route")) : $0.removeFirst()
        }
        let messages = AsyncThrowingStream<Data, any Error> { continuation in
            for message in socket.messages { continuation.yield(Data(message.utf8)) }
            if let end = socket.end { continuation.finish(throwing: end) }
        }
        return TransportSocket(messages: messages) { [self] text in said.withLock { $0.append(text) } }
    }

    func exchange(
        _ request: TransportRequest, sent: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<TransportPart, any Error> {
        let size = request.body?.count ?? 0
        if size > 0 {
            sent(size / 2)
            sent(size)
        }
        return exchange(request)
    }

    func exchange(_ request: TransportRequest) -> AsyncThrowingStream<TransportPart, any Error> {
        sent.withLock { $0.append(request) }
        let step = steps.withLock { $0.isEmpty ? .unreachable : $0.removeFirst() }
        return AsyncThrowingStream { continuation in
            switch step {
            case .answer(let status, let text, let fields):
                continuation.yield(.head(status: status, fields: fields))
                continuation.yield(.body(Data(text.utf8)))
                continuation.finish()
            case .broken(let text):
                continuation.yield(.head(status: 200, fields: [:]))
                continuation.yield(.body(Data(text.utf8)))
                continuation.finish(throwing: BooksTrackError.unreachable("cut"))
            case .unreachable:
                continuation.finish(throwing: BooksTrackError.unreachable("no route"))
            case .silence:
                break
            }
        }
    }
}

/// A clock on which only pauses take time, and no test has to wait for them. The longest ones never end.
final class SkippingClock: Clock {
    typealias Instant = ContinuousClock.Instant
    private let started = ContinuousClock().now
    private let longest: Duration
    private let paused = Mutex<[Duration]>([])

    /// - Parameter longest: Pauses of this length and more do not end before they are canceled.
    init(longest: Duration = .seconds(80)) { self.longest = longest }

    /// The pauses that have ended.
    var pauses: [Duration] { paused.withLock { $0 } }
    var now: Instant { paused.withLock { $0.reduce(started) { $0.advanced(by: $1) } } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = deadline - now
        guard pause < longest else {
            // Nothing is sent: it ends when the task is canceled.
            let (never, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            continuation.finish()
            throw CancellationError()
        }
        paused.withLock { $0.append(pause) }
    }
}
