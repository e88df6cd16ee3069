import Contract
import Syntax
package import System

/// The events of a job as a response (`text/event-stream`).
package final class EventFeed: ResponseStream {
    /// Interval of comments while there is no event, in nanoseconds. It keeps proxies from closing the
    /// connection, and shows us that the client has left.
    package static let silence: UInt64 = 15_000_000_000

    private struct State: Sendable {
        var seen: Int64
        var watcher: Int?
        /// Bytes that were made and not sent yet.
        var rest: [UInt8] = Array("retry: 2000\n\n".utf8)
        var isOver = false
        var spokeAt: UInt64
        var reader: StreamReader?
    }

    package let job: String
    /// The token that the client has used; nil if it needed none.
    package let token: String?
    /// The user on whose right to read the job the response depends: the owner of the server's token that the client
    /// has used, else the one of the job; nil for nobody.
    package let owner: String?
    private let base: BasePath
    private let hub: EventHub
    private let clock: any RunClock
    private let state: Guarded<State>
    /// Called when the response is over.
    private let ended: @Sendable (EventFeed) -> Void

    /// - Parameters:
    ///   - token: The token that the client has used; nil if it needed none.
    ///   - owner: The owner of the server's token that it depends on; nil for none.
    ///   - seen: The last event that the client has seen; 0 for none.
    ///   - base: Path of the server as the client spells it.
    ///   - ended: Called when the response is over.
    package init(
        of job: String, token: String?, owner: String? = nil, after seen: Int64, at base: BasePath = .root,
        hub: EventHub, clock: any RunClock,
        ended: @escaping @Sendable (EventFeed) -> Void
    ) {
        self.job = job
        self.token = token
        self.owner = owner
        self.base = base
        self.hub = hub
        self.clock = clock
        self.ended = ended
        var first = State(seen: seen, spokeAt: clock.nanoseconds())
        if seen > 0, let log = hub[job] {
            first.rest += Self.reconnection(log, of: job, at: clock.epochMilliseconds())
            // A client may read `progress` and not `reconnected`. So the latest progress follows, unless the end does.
            first.seen = max(seen, log.restated(withProgress: log.ending != nil))
        }
        state = Guarded(first)
    }

    /// First message to a client that reconnects. It has no id, so that the last event stays the last.
    private static func reconnection(_ log: JobEventLog, of job: String, at time: Int64) -> [UInt8] {
        let message = JobMessage(jobId: job, pipeline: log.pipeline, timestamp: time, log.reconnection)
        return Array("event: reconnected\ndata: ".utf8) + message.json + Array("\n\n".utf8)
    }

    package func begin(_ reader: StreamReader) {
        state.withLock { $0.reader = reader }
        let watcher = hub.watch(job) { reader.wake() }
        state.withLock { $0.watcher = watcher }
    }

    /// Sends a comment if nothing was sent for long.
    package func keepAlive() {
        let reader = state.withLock { state -> StreamReader? in
            // Read with the lock: a time from before it may be earlier than that of the last read.
            let silence = clock.nanoseconds() - state.spokeAt
            guard !state.isOver, silence >= Self.silence, state.rest.isEmpty else { return nil }
            state.rest = Array(": \n\n".utf8)
            return state.reader
        }
        reader?.wake()
    }

    /// Ends the response: its client may not see any more.
    package func cut() {
        let reader = state.withLock { state -> StreamReader? in
            (state.isOver, state.rest) = (true, [])
            return state.reader
        }
        reader?.wake()
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamStep {
        // The log is read before the lock is taken: the hub has its own lock.
        let seen = state.withLock { $0.seen }
        let log = hub[job]
        return state.withLock { state in
            if state.rest.isEmpty {
                guard !state.isOver else { return .ended }
                guard let log else { return .ended }
                for event in log.events(after: seen) {
                    state.rest += spelled(event)
                    state.seen = event.id
                    if event.kind.isEnd { state.isOver = true }
                }
                if log.isOver(after: state.seen) { state.isOver = true }
                if state.rest.isEmpty { return state.isOver ? .ended : .waiting }
            }
            state.spokeAt = clock.nanoseconds()
            let count = min(buffer.count, state.rest.count)
            buffer.copyBytes(from: state.rest[..<count])
            state.rest.removeFirst(count)
            return .bytes(count)
        }
    }

    package func end() {
        let watcher = state.withLock { state -> Int? in
            state.isOver = true
            state.reader = nil
            return state.watcher
        }
        if let watcher { hub.leave(job, watcher) }
        ended(self)
    }

    /// A message is one line of JSON, so it needs one `data` field.
    private func spelled(_ event: JobEvent) -> [UInt8] {
        Array("id: \(event.id)\nevent: \(event.kind.rawValue)\ndata: ".utf8)
            + event.message(at: base) + Array("\n\n".utf8)
    }
}
