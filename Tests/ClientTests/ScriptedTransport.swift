import Foundation
import Synchronization

@testable import BooksTrackClient

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

    private let steps: Mutex<[Step]>
    private let sent = Mutex<[TransportRequest]>([])

    init(_ steps: [Step]) { self.steps = Mutex(steps) }

    /// The requests so far.
    var requests: [TransportRequest] { sent.withLock { $0 } }

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

/// A clock on which a pause takes no time, except the longest ones, which never end.
final class SkippingClock: Clock {
    typealias Instant = ContinuousClock.Instant
    private let longest: Duration
    private let paused = Mutex<[Duration]>([])

    /// - Parameter longest: Pauses of this length and more do not end before they are canceled.
    init(longest: Duration = .seconds(80)) { self.longest = longest }

    /// The pauses that have ended.
    var pauses: [Duration] { paused.withLock { $0 } }
    var now: Instant { ContinuousClock().now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = deadline - now
        guard pause < longest else {
            // Nobody sends anything: it ends when the task is canceled.
            let (never, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            continuation.finish()
            throw CancellationError()
        }
        paused.withLock { $0.append(pause) }
    }
}
