import BooksTrack
import Foundation
import Testing

@testable import LinuxTransport

/// The client's side of RFC 6455, section 4.1.
@Suite struct SocketHandshakeTests {
    private func handshake(_ address: String = "http://books.example:8787/ws/progress?jobId=a%20b") throws
        -> SocketHandshake
    {
        var request = TransportRequest(method: "GET", url: try #require(URL(string: address)))
        request.fields["Sec-WebSocket-Protocol"] = "bearer, t1"
        request.fields["X-Client-Version"] = "Shelf\r\nEvil: 1"
        return SocketHandshake(request, key: "dGhlIHNhbXBsZSBub25jZQ==")
    }

    private static let accepted = """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r
        sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: bearer\r\n\r\n
        """

    @Test(arguments: [
        (
            "http://books.example:8787/ws/progress?jobId=a%20b", "/ws/progress?jobId=a%20b",
            "books.example:8787"
        ),
        ("https://books.example", "/", "books.example"), ("http://[::1]:80/a", "/a", "[::1]:80"),
    ])
    func `the request names target and host, and a value cannot begin another field`(
        address: String, target: String, host: String
    ) throws {
        let text = String(decoding: try handshake(address).bytes, as: UTF8.self)
        #expect(text.hasPrefix("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n"))
        #expect(text.contains("\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"))
        #expect(text.contains("\r\nX-Client-Version: ShelfEvil: 1\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test func `each connection has a key of its own`() throws {
        let request = TransportRequest(method: "GET", url: try #require(URL(string: "http://a")))
        #expect(SocketHandshake(request).bytes != SocketHandshake(request).bytes)
    }

    @Test func `what comes behind the answer belongs to the WebSocket`() throws {
        let answer = Array(Self.accepted.utf8)
        for count in answer.indices {
            #expect(try handshake().reply(Array(answer[..<count]), isWhole: false) == .incomplete)
        }
        #expect(try handshake().reply(answer, isWhole: false) == .accepted([]))
        #expect(try handshake().reply(answer + [0x81, 0], isWhole: false) == .accepted([0x81, 0]))
    }

    @Test(arguments: [
        ("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "AAAALMBiTxaQ9kYGzzhZRbK+xOo="),
        ("Upgrade: WebSocket", "Upgrade: h2c"),
        ("keep-alive, Upgrade", "close"), ("Protocol: bearer", "Protocol: other"),
        ("Upgrade: WebSocket", "Upgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate"),
        ("HTTP/1.1 101", "SSH-2.0"),
    ])
    func `an answer that does not fit opens nothing`(found: String, other: String) throws {
        let handshake = try handshake()
        let answer = Array(Self.accepted.replacingOccurrences(of: found, with: other).utf8)
        #expect {
            try handshake.reply(answer, isWhole: false)
        } throws: {
            if case BooksTrackError.malformed = $0 { true } else { false }
        }
    }

    @Test func `a refusal is the service's error, as soon as all of it is there`() throws {
        let handshake = try handshake()
        let body =
            #"{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"No.","retryable":true,"retryAfterMs":9000}}"#
        let answer = Array("HTTP/1.1 429 Too Many\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        #expect(try handshake.reply(answer.dropLast(), isWhole: false) == .incomplete)
        #expect {
            try handshake.reply(answer, isWhole: false)
        } throws: {
            guard case BooksTrackError.service(let error) = $0 else { return false }
            return error.code == .rateLimitExceeded && error.retryAfter == .seconds(9)
        }
        #expect(throws: BooksTrackError.self) {
            try handshake.reply(Array("HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\n".utf8), isWhole: true)
        }
        #expect(throws: BooksTrackError.self) {
            try handshake.reply([UInt8](repeating: 97, count: 70_000), isWhole: false)
        }
    }
}
