import FoundationEssentials
import Glibc
package import System

/// A small HTTP/1.1 server on a real local socket, for `etl fake-providers` and tests.
///
/// It uses one thread per connection, which is enough for the dozens of connections of our clients. It
/// records requests and concurrency, so that tests can check that a client respects limits.
package final class FakeServer: Sendable {
    package typealias Answer = @Sendable (FakeRequest) -> FakeReply

    private struct State: Sendable {
        var requests: [ReceivedRequest] = []
        /// The connections with a request under way, by service.
        var underWay: [String: Set<Int32>] = [:]
        var most: [String: Int] = [:]
        var connections: Set<Int32> = []
        var isStopped = false
    }

    /// The port it listens on.
    package let port: UInt16
    private let listener: Int32
    private let answer: Answer
    private let state = Guarded(State())

    /// Listens on a port of the loopback interface. 0 chooses any free port.
    package init(port: UInt16 = 0, answering answer: @escaping Answer) throws(ETLError) {
        self.answer = answer
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        self.listener = listener
        self.port = UInt16(bigEndian: address.sin_port)
        guard isListening else {
            let why = String(cString: strerror(errno))
            close(listener)
            throw ETLError(
                .cannotCreate, "Cannot listen on port \(port): \(why).",
                advice: "Choose another port.")
        }
        guard SystemThread.start({ [self] in accept() }) else {
            close(listener)
            throw ETLError(
                .temporary, "No thread can be started.", advice: "End other programs and try again.")
        }
    }

    /// Its base URL, such as `http://127.0.0.1:8080`.
    package var url: String { "http://127.0.0.1:\(port)" }
    /// The requests so far, in the order of arrival.
    package var requests: [ReceivedRequest] { state.withLock { $0.requests } }
    /// Maximum number of requests under way at the same time, by service.
    package var maxAtOnce: [String: Int] { state.withLock { $0.most } }

    /// Closes all connections and stops listening. Calling it again does nothing.
    package func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            // With the lock held no descriptor is closed. One that was closed may already be the socket of
            // another server or client of this process.
            shutdown(listener, Int32(SHUT_RDWR))
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func accept() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                state.withLock { state in
                    state.isStopped = true
                    close(listener)
                }
                return
            }
            let isStopped = state.withLock { state in
                if !state.isStopped { state.connections.insert(connection) }
                return state.isStopped
            }
            guard !isStopped else {
                close(connection)
                continue
            }
            let isStarted = SystemThread.start(stackBytes: 256 << 10) { [self] in serve(connection) }
            if !isStarted { end(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        var exchange = FakeConnection(connection)
        while let request = exchange.next() {
            let (service, reply) = (request.service, answer(request))
            let received = ReceivedRequest(
                request: request, at: SystemClock().nanoseconds(), fault: reply.fault)
            state.withLock { state in
                state.requests.append(received)
                state.underWay[service, default: []].insert(connection)
                let (underWay, most) = (state.underWay[service] ?? [], state.most[service] ?? 0)
                guard underWay.count > most else { return }
                let count = underWay.count {
                    // A closed connection does not count, even if its thread has not noticed yet.
                    $0 == connection || !FakeConnection.hasHungUp($0, withinMilliseconds: 0)
                }
                state.most[service] = max(most, count)
            }
            let continues = exchange.send(reply) {
                state.withLock { _ = $0.underWay[service]?.remove(connection) }
            }
            guard continues else { break }
        }
        end(connection)
    }

    private func end(_ connection: Int32) {
        state.withLock { state in
            state.connections.remove(connection)
            close(connection)
        }
    }
}

/// A connection of the fake server. It reads requests and sends replies.
struct FakeConnection {
    private static let longestRequest = 4 << 20
    /// The first byte of a client that expects TLS (RFC 8446, 5.1).
    private static let tlsHandshake: UInt8 = 22

    private let socket: Int32
    private var buffer: [UInt8] = []

    init(_ socket: Int32) { self.socket = socket }

    // MARK: Reading

    /// The next request; nil if the client has closed the connection or the request is too long.
    mutating func next() -> FakeRequest? {
        while true {
            if let request = takeRequest() { return request }
            guard buffer.count < Self.longestRequest, receive() else { return nil }
            guard buffer.first != Self.tlsHandshake else { return nil }
        }
    }

    private mutating func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var count: Int
        repeat { count = recv(socket, &bytes, bytes.count, 0) } while count < 0 && errno == EINTR
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }

    private mutating func takeRequest() -> FakeRequest? {
        guard let end = Self.endOfHead(buffer) else { return nil }
        let blank = UInt8(ascii: " ")
        var lines = buffer[..<end].split(whereSeparator: { $0 == 13 || $0 == 10 })[...]
        let words = (lines.popFirst() ?? []).split(separator: blank)
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == blank }
            fields[String(decoding: line[..<colon], as: UTF8.self).lowercased()] = String(
                decoding: value, as: UTF8.self)
        }
        let length = max(0, Int(fields["content-length"] ?? "") ?? 0)
        guard buffer.count - end >= length else { return nil }
        let body = Array(buffer[end..<end + length])
        buffer.removeFirst(end + length)
        return FakeRequest(
            method: String(decoding: words.first ?? [], as: UTF8.self),
            target: words.count > 1 ? String(decoding: words[1], as: UTF8.self) : "/",
            fields: fields, body: body)
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 0...bytes.count - 4
        where bytes[index] == 13 && bytes[index + 1] == 10 && bytes[index + 2] == 13 && bytes[index + 3] == 10
        {
            return index + 4
        }
        return nil
    }

    // MARK: Sending

    /// Sends a reply. Calls `over` when the request is no longer under way, before the client can notice its
    /// end.
    ///
    /// - Returns: Whether the connection can be used again.
    func send(_ reply: FakeReply, over: () -> Void) -> Bool {
        // A client that has closed the connection gets no response.
        let isGone =
            reply.delayMilliseconds > 0
            && Self.hasHungUp(socket, withinMilliseconds: Int32(reply.delayMilliseconds))
        // An incomplete response ends when the client gives up.
        let lasts = !isGone && (reply.manner == .dripping || reply.manner == .silent)
        if !lasts { over() }
        defer { if lasts { over() } }
        if isGone { return false }
        var head = "HTTP/1.1 \(reply.status) \(reply.status < 400 ? "OK" : "Refused")\r\n"
        head += "Content-Length: \(reply.body.count)\r\n"
        for (name, value) in reply.fields.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        let bytes = Array((head + "\r\n").utf8)
        switch reply.manner {
        case .well:
            return write(bytes + reply.body)
        case .cutOff:
            _ = write(bytes + reply.body.prefix(reply.body.count / 2))
            return false
        case .cutOffInHead:
            _ = write(Array(bytes.prefix(bytes.count / 2)))
            return false
        case .reset:
            var hard = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
            return false
        case .dripping:
            guard write(bytes) else { return false }
            for byte in reply.body where !Self.hasHungUp(socket, withinMilliseconds: 200) {
                guard write([byte]) else { return false }
            }
            return false
        case .silent:
            while !Self.hasHungUp(socket, withinMilliseconds: 1_000) {}
            return false
        }
    }

    /// Whether the client closes the connection or sends anything within some time. With 0, whether it
    /// already has.
    static func hasHungUp(_ socket: Int32, withinMilliseconds milliseconds: Int32) -> Bool {
        var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&look, 1, milliseconds) > 0
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Glibc.send(socket, all.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
