import Contract
package import Store
import Syntax

/// The close codes that the server sends.
package enum CloseCode: UInt16, Sendable, CaseIterable {
    /// The job is complete.
    case complete = 1_000
    /// The server stops, the job was canceled, or the client was silent for too long.
    case goingAway = 1_001
    /// A message is invalid.
    case protocolError = 1_002
    /// Wrong or expired token, or a site that may not use the server.
    case policyViolation = 1_008
    case messageTooBig = 1_009
    /// The job failed.
    case internalError = 1_011
    /// There are too many connections.
    case tryAgainLater = 1_013
}

/// Protocol state of one client of the WebSocket. It has no socket and no clock; times are milliseconds.
package struct SocketSession: Sendable {
    /// Next action.
    package enum Action: Sendable, Hashable {
        case send([UInt8])
        /// A ping frame, besides the message.
        case ping
        case close(CloseCode)
        case cancel
    }

    /// Interval of pings to the client.
    package static let heartbeat: Int64 = 30_000
    /// Maximum silence of a client.
    package static let longestSilence: Int64 = 90_000

    private let job: String
    private let pipeline: JobPipeline
    private let base: BasePath
    /// Whether the client is ready for events.
    package private(set) var isReady = false
    private var seen: Int64 = 0
    private var heardAt: Int64
    private var pingedAt: Int64
    private var isClosing = false

    /// - Parameter base: Path of the server as the client spells it.
    package init(job: String, pipeline: JobPipeline, at base: BasePath = .root, now: Int64) {
        self.base = base
        self.job = job
        self.pipeline = pipeline
        heardAt = now
        pingedAt = now
    }

    /// The client is back after its connection was cut. It is told the state, and then only what is newer.
    ///
    /// - Parameter time: Milliseconds since 1970.
    package mutating func reconnect(_ log: JobEventLog, time: Int64) -> [Action] {
        isReady = true
        seen = log.restated(withProgress: true)
        return [message(log.reconnection, time)]
    }

    /// A message has arrived.
    ///
    /// - Parameter time: Milliseconds since 1970.
    package mutating func receive(_ bytes: [UInt8], now: Int64, time: Int64) -> [Action] {
        heardAt = now
        guard !isClosing else { return [] }
        guard let type = Self.type(of: bytes) else { return close(.protocolError) }
        switch MessageType(rawValue: type) {
        case .ready:
            isReady = true
            return [message(.readyAck, time)]
        case .ping: return [message(.pong, time)]
        case .cancelBatch where pipeline == .aiScan:
            // Clients wait for it before the connection is closed.
            return [.send(BatchMessage(jobId: job, timestamp: time, .canceling).json), .cancel]
        case .cancelBatch: return [.cancel]
        case nil where type == "cancel": return [.cancel]
        // Messages of later versions are none of our business.
        default: return []
        }
    }

    /// A control frame has arrived: the client is there.
    package mutating func hear(now: Int64) { heardAt = now }

    /// The `type` of a message; nil if it is not an object with one.
    private static func type(of bytes: [UInt8]) -> String? {
        var type: String?
        do throws(JSONReadError) {
            try JSONReader.read(bytes) { reader throws(JSONReadError) in
                try reader.forEachKey { key, value throws(JSONReadError) in
                    if key == "type" { type = try value.string().string }
                }
                try reader.finish()
            }
        } catch {
            return nil
        }
        return type
    }

    /// There is news, or room to send it. Call it only if everything before was sent: then a slow client is told the
    /// latest state, and nothing piles up.
    package mutating func news(_ log: JobEventLog) -> [Action] {
        guard isReady, !isClosing else { return [] }
        var actions: [Action] = []
        for event in log.events(after: seen) {
            seen = event.id
            actions.append(.send(event.message(at: base)))
            switch event.kind {
            case .started, .progress: break
            case .completed: actions += close(.complete)
            case .canceled: actions += close(.goingAway)
            case .failed: actions += close(.internalError)
            }
        }
        return actions
    }

    /// Time has passed.
    ///
    /// - Parameter time: Milliseconds since 1970.
    package mutating func tick(now: Int64, time: Int64) -> [Action] {
        guard !isClosing else { return [] }
        if now - heardAt >= Self.longestSilence { return close(.goingAway) }
        guard now - pingedAt >= Self.heartbeat else { return [] }
        pingedAt = now
        return [message(.ping, time), .ping]
    }

    /// Ends the session.
    package mutating func close(_ code: CloseCode) -> [Action] {
        guard !isClosing else { return [] }
        isClosing = true
        return [.close(code)]
    }

    private func message(_ body: JobMessage.Body, _ time: Int64) -> Action {
        .send(JobMessage(jobId: job, pipeline: pipeline, timestamp: time, body).json)
    }
}
