package import BooksTrack
import CCurl
import Foundation
import Synchronization

/// Sends the Swift client's requests with libcurl. Tests of the client and of the server use it, because the client
/// has no transport on Linux. Each exchange and each WebSocket has its own thread while it lasts: it may last for
/// hours, and the threads of dispatch queues are few.
package struct CurlTransport: Transport {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// A transport that trusts the system's certificates.
    package init() {}

    /// Sends a request; see ``Transport``.
    package func exchange(_ request: TransportRequest) -> AsyncThrowingStream<TransportPart, any Error> {
        AsyncThrowingStream { continuation in
            let transfer = Transfer(continuation)
            continuation.onTermination = { _ in transfer.isAbandoned.store(true, ordering: .relaxed) }
            Thread.detachNewThread {
                guard Self.isReady, let error = transfer.run(request) else {
                    return continuation.finish()
                }
                continuation.finish(throwing: error)
            }
        }
    }

    /// Opens a WebSocket; see ``Transport``.
    package func openSocket(_ request: TransportRequest) -> TransportSocket {
        let (messages, continuation) = AsyncThrowingStream.makeStream(
            of: Data.self, throwing: (any Error).self)
        let socket = CurlSocket(continuation)
        continuation.onTermination = { _ in socket.abandon() }
        Thread.detachNewThread {
            let error: BooksTrackError =
                Self.isReady ? socket.run(request) : .unreachable("libcurl cannot be used.")
            continuation.finish(throwing: error)
        }
        return TransportSocket(messages: messages) { socket.send($0) }
    }
}

/// One exchange, used by one thread. Only the flag is shared.
private final class Transfer: Sendable {
    let isAbandoned = Atomic(false)
    private let continuation: AsyncThrowingStream<TransportPart, any Error>.Continuation
    private let head = Mutex((status: 0, fields: [String: String](), isComplete: false))

    init(_ continuation: AsyncThrowingStream<TransportPart, any Error>.Continuation) {
        self.continuation = continuation
    }

    /// Performs a request.
    ///
    /// - Returns: Why it failed; nil after a whole answer.
    func run(_ request: TransportRequest) -> BooksTrackError? {
        guard let handle = curl_easy_init() else { return .unreachable("libcurl has no memory.") }
        defer { curl_easy_cleanup(handle) }
        var fields: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(fields) }
        // Without this libcurl waits a second for permission to send a large body.
        for (name, value) in request.fields.merging(["Expect": ""], uniquingKeysWith: { own, _ in own }) {
            fields = curl_slist_append(fields, "\(name): \(value)")
        }
        etl_curl_set_string(handle, CURLOPT_URL, request.url.absoluteString)
        etl_curl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
        etl_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        etl_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        etl_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT, 10)
        etl_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        etl_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, request.idleSeconds)
        etl_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
        if let body = request.body {
            body.withUnsafeBytes { _ = etl_curl_set_body(handle, $0.baseAddress, $0.count) }
        }
        let target = Unmanaged.passUnretained(self).toOpaque()
        etl_curl_set_receivers(
            handle,
            { bytes, size, count, target in Transfer.of(target)?.receive(bytes, size * count) ?? 0 },
            { bytes, size, count, target in Transfer.of(target)?.receiveHeader(bytes, size * count) ?? 0 },
            target)
        // Called about once a second, also while nothing arrives.
        etl_curl_set_progress(
            handle,
            { target, _, _, _, _ in
                Transfer.of(target)?.isAbandoned.load(ordering: .relaxed) == false ? 0 : 1
            }, target)
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else {
            return isAbandoned.load(ordering: .relaxed)
                ? .canceled : .unreachable(String(cString: curl_easy_strerror(code)))
        }
        // For libcurl, a connection that ends in the middle of the head is an answer without a body.
        guard head.withLock({ $0.isComplete }) else { return .unreachable("The answer was cut off.") }
        sendHead()
        return nil
    }

    private static func of(_ target: UnsafeMutableRawPointer?) -> Transfer? {
        target.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func receive(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, !isAbandoned.load(ordering: .relaxed) else { return 0 }
        sendHead()
        continuation.yield(.body(Data(bytes: bytes, count: count)))
        return count
    }

    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        let line = String(decoding: Data(bytes: bytes, count: count), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        head.withLock { head in
            if line.hasPrefix("HTTP/") {
                head = (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0, [:], false)
            } else if line.isEmpty {
                head.isComplete = true
            } else if let colon = line.firstIndex(of: ":") {
                head.fields[line[..<colon].lowercased()] =
                    line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
        }
        return count
    }

    /// Passes the head on before the first byte of the body, once.
    private func sendHead() {
        let ready = head.withLock { head -> (status: Int, fields: [String: String])? in
            guard head.status >= 200 else { return nil }
            defer { head.status = 0 }
            return (head.status, head.fields)
        }
        if let ready { continuation.yield(.head(status: ready.status, fields: ready.fields)) }
    }
}
