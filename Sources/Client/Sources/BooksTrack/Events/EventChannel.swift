/// A way to follow a job, the best one first.
public enum EventChannel: Int, Sendable, Hashable, CaseIterable {
    /// Messages over a WebSocket.
    case webSocket
    /// Server-sent events.
    case stream
    /// Asking for the status again and again.
    case polling
}

/// Decides over which channel a job is followed next, and when. It has no clock: times are since the beginning.
struct ChannelPlan: Sendable {
    /// Pause before a failed channel is tried again while a worse one works.
    static let rest = Duration.seconds(30)

    private let channels: [EventChannel]
    private let retries: RetryPolicy
    private let pollInterval: Duration
    private var attempts: RetryPolicy.Attempts
    /// When a channel can be used again; nil for at once.
    private var free: [EventChannel: Duration] = [:]
    /// The channel to use now; nil if there is none.
    private(set) var next: EventChannel?

    init(_ channels: Set<EventChannel>, retries: RetryPolicy, pollInterval: Duration) {
        self.channels = channels.sorted { $0.rawValue < $1.rawValue }
        self.retries = retries
        self.pollInterval = pollInterval
        attempts = retries.begin()
        next = self.channels.first
    }

    /// A connection has ended before the job, or none could be made.
    ///
    /// - Parameters:
    ///   - hadNews: Whether it has told anything new. Then the client comes back at once.
    ///   - share: Varies pauses, from 0.5 to 1.
    /// - Returns: The pause before the next step.
    /// - Throws: The error, if no channel is left.
    mutating func fail(
        _ error: BooksTrackError, hadNews: Bool, at now: Duration, share: Double
    ) throws(BooksTrackError) -> Duration {
        // A request for the status was repeated already.
        guard let channel = next, channel != .polling, error != .canceled else { throw error }
        if hadNews {
            attempts = retries.begin()
            if case .unreachable = error { return .zero }
        }
        // A full server is not retried on this channel, but the job may be watched over another one.
        let isFull = error == .closed(.tryAgainLater) && channels.last != channel
        if !isFull, let pause = attempts.pause(after: error, share: share) { return pause }
        // A refused stream is a refusal of the job.
        if channel == .stream, case .service(let refusal) = error, [401, 404].contains(refusal.status) {
            throw error
        }
        free[channel] = error.isRetryable ? now + Self.rest : .seconds(Int64.max >> 1)
        guard let worse = channels.first(where: { $0.rawValue > channel.rawValue }) else { throw error }
        use(worse)
        return .zero
    }

    /// The status was received, and the job continues.
    ///
    /// - Returns: The pause before the next step.
    mutating func pollAgain(at now: Duration) -> Duration {
        use(channels.first { now + pollInterval >= free[$0] ?? .zero } ?? .polling)
        return pollInterval
    }

    private mutating func use(_ channel: EventChannel) {
        next = channel
        attempts = retries.begin()
    }
}
