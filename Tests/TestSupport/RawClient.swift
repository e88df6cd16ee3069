import Foundation

/// A TCP connection to a server under test, on which a test says every byte itself.
package final class RawClient {
    /// A response as it arrived.
    package struct Answer {
        package var status: Int
        /// Names in lower case.
        package var fields: [String: String]
        package var body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as a JSON object.
        package func json() throws -> [String: Any] {
            guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
                throw Failure.malformed
            }
            return object
        }
    }

    /// Why there is no response.
    package enum Failure: Error, Hashable {
        /// There is no connection. The code is the system's.
        case unreachable(code: Int32)
        /// The connection ended before there was a whole response.
        case closed
        /// Nothing came for an hour: the server hangs. On a busy machine its tasks can wait ten minutes behind
        /// those of all other tests.
        case silent
        /// The response is malformed.
        case malformed
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port of this machine.
    package init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw Failure.unreachable(code: errno) }
        var limit = timeval(tv_sec: 3_600, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Foundation.close(descriptor) }

    /// Sends bytes.
    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(
                    descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure.closed }
            sent += count
        }
    }

    /// Sends text in which each line end is CR LF.
    package func send(_ text: String) throws {
        try send(Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8))
    }

    /// Says that nothing more will be sent.
    package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads more bytes.
    ///
    /// - Returns: False at the end and after a reset.
    private func receive() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0, errno == EAGAIN { throw Failure.silent }
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }

    /// Whether the server closes the connection without sending anything more.
    package func isClosed() throws -> Bool { try buffer.isEmpty && !receive() }

    /// The bytes up to and with the next line end, without it.
    package func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = buffer[..<end].filter { $0 != 13 }
                buffer.removeFirst(end + 1)
                return String(decoding: line, as: UTF8.self)
            }
            guard try receive() else { throw Failure.closed }
        }
    }

    /// So many bytes.
    package func bytes(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { guard try receive() else { throw Failure.closed } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Everything until the server closes the connection.
    package func rest() throws -> [UInt8] {
        while try receive() {}
        defer { buffer = [] }
        return buffer
    }

    /// Status and header fields of the next response.
    package func head() throws -> Answer {
        let status = try line().split(separator: " ")
        guard status.count > 1, let number = Int(status[1]) else { throw Failure.closed }
        var fields: [String: String] = [:]
        while true {
            let line = try line()
            guard !line.isEmpty else { return Answer(status: number, fields: fields, body: []) }
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] =
                parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
    }

    /// The next piece of a chunked body; empty at its end.
    package func chunk() throws -> [UInt8] {
        guard let size = Int(try line(), radix: 16) else { throw Failure.malformed }
        let bytes = try bytes(size)
        _ = try line()
        return bytes
    }

    /// The next response.
    package func answer(toHead: Bool = false) throws -> Answer {
        var answer = try head()
        if toHead || answer.status == 204 || answer.status == 304 { return answer }
        if answer.fields["transfer-encoding"] == "chunked" {
            while true {
                let piece = try chunk()
                if piece.isEmpty { break }
                answer.body += piece
            }
        } else if let length = answer.fields["content-length"].flatMap({ Int($0) }) {
            answer.body = try bytes(length)
        } else {
            answer.body = try rest()
        }
        return answer
    }

    /// Sends a request and reads the response.
    package func request(
        _ method: String = "GET", _ target: String, _ fields: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> Answer {
        var head = "\(method) \(target) HTTP/1.1\n"
        if !fields.contains(where: { $0.0 == "Host" }) { head += "Host: localhost\n" }
        for (name, value) in fields { head += "\(name): \(value)\n" }
        if let body { head += "Content-Length: \(body.count)\n" }
        try send(head + "\n")
        if let body { try send(body) }
        return try answer(toHead: method == "HEAD")
    }
}

/// Answers, decoded with the types of the published clients.
extension RawClient.Answer {
    /// The answer as version 2.1 decodes it.
    func inVersion2<Payload: Decodable, Details: Decodable>(
        _ payload: Payload.Type, _ details: Details.Type = V21.NoDetails.self
    ) throws -> V21.Envelope<Payload, Details> {
        try JSONDecoder().decode(V21.Envelope<Payload, Details>.self, from: Data(body))
    }

    /// The answer as version 3.2 decodes it.
    func inVersion3<Payload: Decodable>(_ payload: Payload.Type) throws -> V32.ResponseEnvelope<Payload> {
        try JSONDecoder().decode(V32.ResponseEnvelope<Payload>.self, from: Data(body))
    }
}
