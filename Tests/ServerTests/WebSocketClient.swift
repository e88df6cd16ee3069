import Foundation
import TestSupport
import Testing

/// A client of the WebSocket that says every frame itself.
final class WebSocketClient {
    /// A frame from the server.
    struct Frame: Equatable {
        var opcode: UInt8
        var payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
        /// The code of a closing frame; nil of any other.
        var closeCode: Int? {
            opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        }
        /// The `type` of a message; nil if it is none.
        var type: String? { (try? json())?["type"] as? String }

        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
        }
    }

    let client: RawClient
    /// The head of the server's answer.
    let head: RawClient.Answer

    /// Opens a connection.
    ///
    /// - Parameter early: Bytes sent right behind the request, in the same packet.
    init(_ client: RawClient, _ target: String, _ fields: [(String, String)] = [], early: [UInt8] = []) throws
    {
        self.client = client
        var request =
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
        request += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        for (name, value) in fields { request += "\(name): \(value)\r\n" }
        try client.send(Array((request + "\r\n").utf8) + early)
        head = try client.head()
    }

    /// The bytes of a frame as a client sends it.
    static func frame(
        _ payload: [UInt8], opcode: UInt8 = 1, isLast: Bool = true, isMasked: Bool = true, reserved: UInt8 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = [(isLast ? 0x80 : 0) | reserved << 4 | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        if payload.count < 126 {
            bytes.append(mask | UInt8(payload.count))
        } else if payload.count < 65_536 {
            bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            bytes.append(mask | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(payload.count >> shift & 0xFF))
            }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        return bytes + key + payload.enumerated().map { $0.element ^ key[$0.offset % 4] }
    }

    /// Sends a text message.
    func send(_ text: String) throws { try client.send(Self.frame(Array(text.utf8))) }

    /// The next frame.
    func next() throws -> Frame {
        let start = try client.bytes(2)
        var count = Int(start[1] & 0x7F)
        if count == 126 {
            count = try client.bytes(2).reduce(0) { $0 << 8 | Int($1) }
        } else if count == 127 {
            count = try client.bytes(8).reduce(0) { $0 << 8 | Int($1) }
        }
        #expect(start[0] & 0xF0 == 0x80, "whole, and no reserved bits")
        #expect(start[1] & 0x80 == 0, "servers do not mask")
        let frame = Frame(opcode: start[0] & 0x0F, payload: try client.bytes(count))
        // The server closes the connection without waiting any longer.
        if frame.opcode == 8 { client.finish() }
        return frame
    }

    /// The frames up to and with the closing one.
    func rest() throws -> [Frame] {
        var frames: [Frame] = []
        while frames.last?.closeCode == nil { frames.append(try next()) }
        return frames
    }
}
