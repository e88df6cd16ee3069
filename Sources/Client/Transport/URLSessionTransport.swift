#if canImport(Darwin)
import Foundation

/// Sends requests with URLSession.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// - Parameter session: Any session; its caches and cookies are used.
    public init(_ session: URLSession = .shared) { self.session = session }

    /// Sends a request; see ``Transport``.
    public func exchange(_ request: TransportRequest) -> AsyncThrowingStream<TransportPart, any Error> {
        AsyncThrowingStream { continuation in
            var message = URLRequest(url: request.url, timeoutInterval: TimeInterval(request.idleSeconds))
            message.httpMethod = request.method
            message.httpBody = request.body
            for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
            let task = Task { [message, session] in
                do {
                    let (bytes, response) = try await session.bytes(for: message)
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
}
#endif
