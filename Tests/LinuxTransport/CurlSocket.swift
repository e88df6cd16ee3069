import BooksTrack
import CCurl
import Foundation
import Synchronization
import WebSocket

/// A WebSocket over a connection of libcurl, on its own thread.
final class CurlSocket: Sendable {
    private struct Outbox {
        var texts: [String] = []
        var isAbandoned = false
    }

    /// The contract's bound for messages of the service.
    private static let messageBytes: UInt64 = 32 << 20
    /// Time limit of the service's answer to the handshake.
    private static let handshake = Duration.seconds(10)

    private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
    private let outbox = Mutex(Outbox())
    private let wakeUp = etl_eventfd_create()

    init(_ continuation: AsyncThrowingStream<Data, any Error>.Continuation) {
        self.continuation = continuation
    }

    deinit { if wakeUp >= 0 { close(wakeUp) } }

    /// Sends a text, or lets it wait until the WebSocket is open.
    func send(_ text: String) {
        outbox.withLock { $0.texts.append(text) }
        wake()
    }

    /// Marks the reader as gone.
    func abandon() {
        outbox.withLock { $0.isAbandoned = true }
        wake()
    }

    private var isAbandoned: Bool { outbox.withLock { $0.isAbandoned } }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, 8)
    }

    /// Opens a WebSocket and passes its messages on until it ends.
    ///
    /// - Returns: Why it ended.
    func run(_ request: TransportRequest) -> BooksTrackError {
        guard wakeUp >= 0, let handle = curl_easy_init() else { return .unreachable("No memory is left.") }
        defer { curl_easy_cleanup(handle) }
        etl_curl_set_string(handle, CURLOPT_URL, request.url.absoluteString)
        etl_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        etl_curl_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
        // HTTP/2 has another handshake, and a proxy must not read what is sent.
        etl_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        etl_curl_set_long(handle, CURLOPT_HTTPPROXYTUNNEL, 1)
        etl_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        etl_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT, 10)
        etl_curl_set_progress(
            handle,
            { target, _, _, _, _ in
                target.map { Unmanaged<CurlSocket>.fromOpaque($0).takeUnretainedValue().isAbandoned } == false
                    ? 0 : 1
            }, Unmanaged.passUnretained(self).toOpaque())
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else {
            return isAbandoned ? .canceled : .unreachable(String(cString: curl_easy_strerror(code)))
        }
        let connection = CurlConnection(handle)
        do throws(BooksTrackError) {
            try open(connection, request)
            return exchange(connection, idleSeconds: request.idleSeconds)
        } catch {
            return error
        }
    }

    // MARK: The handshake

    private func open(_ connection: CurlConnection, _ request: TransportRequest) throws(BooksTrackError) {
        let handshake = SocketHandshake(request)
        let end = ContinuousClock.now + Self.handshake
        var rest = handshake.bytes[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBufferPointer({ connection.send($0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .later: try wait(connection, forWriting: true, until: end)
            case .ended, .failed: throw .unreachable("The connection broke.")
            }
        }
        var answer: [UInt8] = []
        while true {
            let transfer = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4_096) { buffer in
                let transfer = connection.receive(into: buffer)
                if case .bytes(let count) = transfer { answer += buffer[..<count] }
                return transfer
            }
            switch try handshake.reply(answer, isWhole: transfer == .ended) {
            case .accepted(let early): return connection.putBack(early)
            case .incomplete where transfer == .later: try wait(connection, forWriting: false, until: end)
            case .incomplete where transfer == .ended || transfer == .failed:
                throw .unreachable("The connection broke.")
            case .incomplete: break
            }
        }
    }

    private func wait(
        _ connection: CurlConnection, forWriting: Bool, until end: ContinuousClock.Instant
    ) throws(BooksTrackError) {
        let left = end - .now
        guard left > .zero else { throw .unreachable("The service does not answer.") }
        _ = wait(connection, forWriting: forWriting, atMost: left)
        if isAbandoned { throw .canceled }
    }

    // MARK: Frames

    private func exchange(_ connection: CurlConnection, idleSeconds: Int) -> BooksTrackError {
        guard let codec = FrameCodec(connection, as: .client, messageBytes: Self.messageBytes) else {
            return .unreachable("No memory is left.")
        }
        while true {
            let (texts, isAbandoned) = outbox.withLock { outbox in
                defer { outbox.texts = [] }
                return (outbox.texts, outbox.isAbandoned)
            }
            guard !isAbandoned else {
                codec.queueClose(UInt16(CloseCode.complete.rawValue))
                codec.write()
                return .canceled
            }
            for text in texts { codec.queue(Array(text.utf8)) }
            var code: UInt16??
            for input in codec.read() {
                switch input {
                case .message(let bytes, _): continuation.yield(Data(bytes))
                case .control: break
                case .close(let said): code = .some(said)
                }
            }
            codec.write()
            if let code { return .closed(code.flatMap { CloseCode(rawValue: Int($0)) } ?? .unknown) }
            if codec.isOver { return .unreachable("The connection broke.") }
            guard wait(connection, forWriting: !codec.isIdle, atMost: .seconds(idleSeconds)) else {
                return .unreachable("The connection was silent for \(idleSeconds) seconds.")
            }
        }
    }

    /// Waits for the connection, or until somebody calls.
    ///
    /// - Returns: False if nothing has happened.
    private func wait(_ connection: CurlConnection, forWriting: Bool, atMost limit: Duration) -> Bool {
        let events = Int16(POLLIN) | (forWriting ? Int16(POLLOUT) : 0)
        var places = [
            pollfd(fd: connection.descriptor, events: events, revents: 0),
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(clamping: Int(limit / .milliseconds(1)) + 1)
        let count = poll(&places, 2, milliseconds)
        if places[1].revents != 0 {
            var times: UInt64 = 0
            _ = read(wakeUp, &times, 8)
        }
        return count != 0
    }
}
