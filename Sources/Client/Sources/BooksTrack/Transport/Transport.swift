public import Foundation

/// Sends requests. The client knows nothing else of the network, so tests can answer in its place.
public protocol Transport: Sendable {
    /// Sends a request. The answer's head comes first, then its body in pieces as they arrive.
    ///
    /// The stream throws a ``BooksTrackError`` if the connection fails. To end the exchange, stop reading.
    func exchange(_ request: TransportRequest) -> AsyncThrowingStream<TransportPart, any Error>
    /// The same, and tells how many bytes of the body have been sent. A transport that cannot tell leaves it out.
    func exchange(
        _ request: TransportRequest, sent: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<TransportPart, any Error>
    /// Opens a WebSocket at the address of a `GET` request, which may offer protocols.
    func openSocket(_ request: TransportRequest) -> TransportSocket
}

extension Transport {
    /// Sends a request without telling how far it is.
    public func exchange(
        _ request: TransportRequest, sent: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<TransportPart, any Error> {
        exchange(request)
    }
}

/// A request over HTTP.
public struct TransportRequest: Sendable, Hashable {
    /// `GET`, `POST` or `DELETE`.
    public var method: String
    /// The whole address.
    public var url: URL
    /// The header's fields.
    public var fields: [String: String] = [:]
    /// The body; nil for none.
    public var body: Data?
    /// Seconds without a byte after which the connection counts as broken.
    public var idleSeconds = 60
    /// Whether the request can be sent again although it may have been processed.
    var mayBeRepeated = true

    /// A request without fields or body.
    public init(method: String, url: URL) {
        self.method = method
        self.url = url
    }
}

/// A part of an answer.
public enum TransportPart: Sendable, Hashable {
    /// Status and header fields, their names in lower case.
    case head(status: Int, fields: [String: String])
    /// A piece of the body.
    case body(Data)
}

/// A WebSocket. To close it, stop reading its messages.
public struct TransportSocket: Sendable {
    /// The messages that arrive.
    ///
    /// They end with a ``BooksTrackError``: `closed` if the service closes, `service` if it refuses to open a WebSocket,
    /// `unreachable` if the connection fails or is silent for too long.
    public var messages: AsyncThrowingStream<Data, any Error>
    /// Sends a text. Before the WebSocket is open, it waits.
    public var send: @Sendable (String) -> Void

    /// A WebSocket of a transport.
    public init(messages: AsyncThrowingStream<Data, any Error>, send: @escaping @Sendable (String) -> Void) {
        self.messages = messages
        self.send = send
    }
}

/// A whole answer.
struct TransportAnswer: Sendable {
    var status = 0
    var fields: [String: String] = [:]
    var body = Data()

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Most bytes of an answer. The results of 100,000 books are about 60 MB.
    private static let mostBytes = 512 << 20

    init() {}

    /// Adds the next part.
    mutating func add(_ part: TransportPart) throws(BooksTrackError) {
        switch part {
        case .head(let status, let fields): (self.status, self.fields) = (status, fields)
        case .body(let bytes):
            body += bytes
            guard body.count <= Self.mostBytes else { throw .malformed("too long") }
        }
    }

    init(collecting parts: AsyncThrowingStream<TransportPart, any Error>) async throws(BooksTrackError) {
        do {
            for try await part in parts { try add(part) }
        } catch let error as BooksTrackError {
            throw error
        } catch {
            throw .unreachable("\(error)")
        }
        if Task.isCancelled { throw .canceled }
        guard status > 0 else { throw .unreachable("The connection was closed without an answer.") }
    }
}
