import BooksTrack
import Foundation
import WebSocket

/// The opening handshake of a WebSocket from the client's side (RFC 6455 section 4.1).
struct SocketHandshake {
    /// Meaning of an answer.
    enum Reply: Equatable {
        /// More of it has to arrive.
        case incomplete
        /// The WebSocket is open. These bytes came behind the answer.
        case accepted([UInt8])
    }

    /// Maximum size of an answer's head.
    private static let mostBytes = 64 << 10

    private let request: TransportRequest
    private let key: String

    /// - Parameter key: 16 bytes in Base64, random for each connection.
    init(_ request: TransportRequest, key: String = SocketHandshake.randomKey()) {
        self.request = request
        self.key = key
    }

    private static func randomKey() -> String {
        Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    }

    /// The request.
    var bytes: [UInt8] {
        let url = request.url
        let path = url.path(percentEncoded: true)
        let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        var host = url.host(percentEncoded: true) ?? ""
        if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
        if let port = url.port { host += ":\(port)" }
        var head = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
        for (name, value) in request.fields.sorted(by: { $0.key < $1.key }) {
            // A line end in a value would begin another field.
            head += "\(name): \(String(value.filter { !$0.isNewline }))\r\n"
        }
        return Array((head + "\r\n").utf8)
    }

    /// Input received so far.
    ///
    /// - Parameter isWhole: Whether nothing more arrives.
    /// - Throws: The service's error if it opens no WebSocket; `malformed` if the answer is no answer to this handshake.
    func reply(_ answer: [UInt8], isWhole: Bool) throws(BooksTrackError) -> Reply {
        let blankLine = Array("\r\n\r\n".utf8)
        guard let end = answer.indices.first(where: { answer[$0...].starts(with: blankLine) })
        else {
            guard answer.count <= Self.mostBytes else { throw .malformed("The answer's head is too long.") }
            return .incomplete
        }
        var lines = String(decoding: answer[..<end], as: UTF8.self).split(separator: "\r\n")[...]
        let words = lines.popFirst()?.split(separator: " ") ?? []
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw .malformed("This is no answer over HTTP.")
        }
        var fields: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let body = answer[(end + 4)...]
        guard status == 101 else {
            let length = fields["content-length"].flatMap { Int($0) } ?? 0
            guard isWhole || body.count >= min(length, Self.mostBytes) else { return .incomplete }
            throw .service(ServiceError(status: status, fields: fields, body: Data(body)))
        }
        try check(fields)
        return .accepted(Array(body))
    }

    private func check(_ fields: [String: String]) throws(BooksTrackError) {
        func words(_ name: String) -> [String] {
            (fields[name] ?? "").lowercased().split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        guard words("upgrade") == ["websocket"], words("connection").contains("upgrade"),
            fields["sec-websocket-accept"] == HandshakeKey.answer(to: key)
        else { throw .malformed("The answer opens no WebSocket.") }
        // Nothing else was offered.
        let offered = request.fields["Sec-WebSocket-Protocol"]?.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard fields["sec-websocket-extensions"] == nil,
            fields["sec-websocket-protocol"].map({ offered?.contains($0) == true }) ?? true
        else { throw .malformed("The answer chooses what was not offered.") }
    }
}
