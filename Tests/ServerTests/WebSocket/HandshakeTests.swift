import Testing

@testable import Server
@testable import WebSocket

@Suite struct HandshakeTests {
    private static func head(_ fields: [(String, String)]) -> RequestHead {
        var head = Array("/ws/progress".utf8).withUnsafeBytes { RequestHead(method: "GET", target: $0) }
        for (name, value) in fields {
            Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { head.addField(name, $0) }
            }
        }
        return head
    }

    private static let whole = [
        ("Connection", "keep-alive, Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]

    /// The example of RFC 6455, section 1.3.
    @Test func `the key is answered as the standard says`() throws {
        let fields = try Handshake.fields(for: Self.head(Self.whole)).get()
        #expect(fields.first { $0.name == "Sec-WebSocket-Accept" }?.value == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(fields.first { $0.name == "Sec-WebSocket-Protocol" } == nil)
    }

    @Test(arguments: [
        (0, "close", Handshake.Refusal.noUpgrade), (1, "h2c", .noUpgrade), (2, "8", .version),
        (2, "", .version),
        (3, "short==", .key), (3, "dGhlIHNhbXBsZSBub25jZQ", .key), (3, "d*hlIHNhbXBsZSBub25jZQ==", .key),
    ])
    func `anything else is refused`(place: Int, value: String, refusal: Handshake.Refusal) {
        var fields = Self.whole
        fields[place].1 = value
        #expect(throws: RefusedHandshake(refusal)) { try Handshake.fields(for: Self.head(fields)).get() }
        fields.remove(at: place)
        #expect(throws: RefusedHandshake.self) { try Handshake.fields(for: Self.head(fields)).get() }
    }

    @Test(arguments: [("Content-Length", "5"), ("Transfer-Encoding", "chunked")])
    func `a handshake has no body`(name: String, value: String) throws {
        #expect(throws: RefusedHandshake(.body)) {
            try Handshake.fields(for: Self.head(Self.whole + [(name, value)])).get()
        }
        #expect(throws: Never.self) {
            try Handshake.fields(for: Self.head(Self.whole + [("Content-Length", "0")])).get()
        }
    }

    @Test(arguments: [
        ("bearer, abc", ["abc"], "bearer"), ("token.abc", ["abc"], "token.abc"), ("abc", ["abc"], "abc"),
        ("v1, token.abc", ["v1", "abc"], "v1"), ("", [], nil),
    ])
    func `a token may be among the protocols, and one of them is named`(
        offered: String, tokens: [String], chosen: String?
    ) throws {
        let head = Self.head(Self.whole + [("Sec-WebSocket-Protocol", offered)])
        #expect(Handshake.tokens(head) == tokens)
        let fields = try Handshake.fields(for: head).get()
        #expect(fields.first { $0.name == "Sec-WebSocket-Protocol" }?.value == chosen)
    }
}

@Suite struct SHA1Tests {
    /// From RFC 3174, section 7.3, and of messages around the length of a block.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ])
    func `digests are those of the standard`(text: String, digest: String) {
        let hex = SHA1.digest(Array(text.utf8)).map {
            $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16)
        }
        #expect(hex.joined() == digest)
    }
}
