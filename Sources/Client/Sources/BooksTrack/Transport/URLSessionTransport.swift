#if canImport(Darwin)
public import Foundation

/// Sends requests with URLSession.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// - Parameter session: Any session; its caches and cookies are used.
    public init(_ session: URLSession = .shared) { self.session = session }

    /// Sends a request; see ``Transport``.
    public func exchange(_ request: TransportRequest) -> AsyncThrowingStream<TransportPart, any Error> {
        exchange(request) { _ in }
    }

    /// Sends a request and tells how far it is; see ``Transport``.
    public func exchange(
        _ request: TransportRequest, sent: @escaping @Sendable (Int) -> Void
    ) -> AsyncThrowingStream<TransportPart, any Error> {
        AsyncThrowingStream { continuation in
            var message = URLRequest(url: request.url, timeoutInterval: TimeInterval(request.idleSeconds))
            message.httpMethod = request.method
            message.httpBody = request.body
            for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
            let task = Task { [message, session] in
                do {
                    let (bytes, response) = try await session.bytes(
                        for: message, delegate: UploadProgress(sent))
                    guard let response = response as? HTTPURLResponse else {
                        throw BooksTrackError.malformed("no HTTP response")
                    }
                    let fields = response.allHeaderFields.reduce(into: [String: String]()) { fields, field in
                        if let name = field.key as? String { fields[name.lowercased()] = "\(field.value)" }
                    }
                    continuation.yield(.head(status: response.statusCode, fields: fields))
                    var piece = Data()
                    for try await byte in bytes {
                        piece.append(byte)
                        // Events end with a line.
                        if byte == 0x0A || piece.count == 1 << 14 {
                            continuation.yield(.body(piece))
                            piece.removeAll(keepingCapacity: true)
                        }
                    }
                    if !piece.isEmpty { continuation.yield(.body(piece)) }
                    continuation.finish()
                } catch let error as BooksTrackError {
                    continuation.finish(throwing: error)
                } catch {
                    continuation.finish(throwing: BooksTrackError.unreachable("\(error)"))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Opens a WebSocket; see ``Transport``.
    public func openSocket(_ request: TransportRequest) -> TransportSocket {
        var message = URLRequest(url: Self.socketURL(request.url), timeoutInterval: 10)
        for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
        let socket = session.webSocketTask(with: message)
        // The contract's bound for messages of the service.
        socket.maximumMessageSize = 32 << 20
        let messages = AsyncThrowingStream<Data, any Error> { continuation in
            let reader = Task {
                while true {
                    do {
                        switch try await Self.next(socket, idleSeconds: request.idleSeconds) {
                        case .data(let data): continuation.yield(data)
                        case .string(let text): continuation.yield(Data(text.utf8))
                        @unknown default: break
                        }
                    } catch {
                        return continuation.finish(throwing: Self.reason(socket, error))
                    }
                }
            }
            continuation.onTermination = { _ in
                reader.cancel()
                socket.cancel(with: .normalClosure, reason: nil)
            }
        }
        socket.resume()
        return TransportSocket(messages: messages) { text in
            // If it cannot be sent, receiving fails too.
            socket.send(.string(text)) { _ in }
        }
    }

    /// The next message. A connection that is silent for too long is canceled, which ends the waiting.
    private static func next(
        _ socket: URLSessionWebSocketTask, idleSeconds: Int
    ) async throws -> URLSessionWebSocketTask.Message {
        let watch = Task {
            try await Task.sleep(for: .seconds(idleSeconds))
            socket.cancel()
        }
        defer { watch.cancel() }
        return try await socket.receive()
    }

    /// The address with the scheme of WebSockets.
    private static func socketURL(_ url: URL) -> URL {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.scheme = url.scheme == "http" ? "ws" : "wss"
        return parts?.url ?? url
    }

    private static func reason(_ socket: URLSessionWebSocketTask, _ error: any Error) -> BooksTrackError {
        if socket.closeCode != .invalid {
            return .closed(CloseCode(rawValue: socket.closeCode.rawValue) ?? .unknown)
        }
        if let response = socket.response as? HTTPURLResponse, response.statusCode != 101 {
            let pause = response.value(forHTTPHeaderField: "Retry-After")
            let fields = pause.map { ["retry-after": $0] } ?? [:]
            return .service(ServiceError(status: response.statusCode, fields: fields, body: Data()))
        }
        return .unreachable("\(error)")
    }
}

/// Tells how much of a request's body has been sent.
private final class UploadProgress: NSObject, URLSessionTaskDelegate {
    private let sent: @Sendable (Int) -> Void

    init(_ sent: @escaping @Sendable (Int) -> Void) { self.sent = sent }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        sent(Int(totalBytesSent))
    }
}
#endif
