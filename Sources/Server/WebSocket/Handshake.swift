import WebSocket

/// The opening handshake of a WebSocket (RFC 6455 section 4.2).
package enum Handshake {
    /// Why a request is no handshake.
    package enum Refusal: Sendable, Hashable {
        /// It does not ask for a WebSocket.
        case noUpgrade
        /// The client speaks another version.
        case version
        /// The key is not 16 bytes in Base64.
        case key
        /// It has a body, whose bytes would be taken for frames.
        case body
    }

    /// The header fields of the response; or why there is no WebSocket.
    package static func fields(
        for head: RequestHead
    ) -> Result<[(name: String, value: String)], RefusedHandshake> {
        let upgrades = head.values(of: "Upgrade").flatMap { words($0) }
        let connection = head.values(of: "Connection").flatMap { words($0) }
        guard upgrades.contains("websocket"), connection.contains("upgrade") else {
            return .failure(RefusedHandshake(.noUpgrade))
        }
        guard head["Sec-WebSocket-Version"] == "13" else { return .failure(RefusedHandshake(.version)) }
        guard let key = head["Sec-WebSocket-Key"], isKey(key), head.count(of: "Sec-WebSocket-Key") == 1 else {
            return .failure(RefusedHandshake(.key))
        }
        guard head["Transfer-Encoding"] == nil, (head["Content-Length"] ?? "0") == "0" else {
            return .failure(RefusedHandshake(.body))
        }
        var fields = [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", HandshakeKey.answer(to: key))]
        if let name = chosen(head) { fields.append(("Sec-WebSocket-Protocol", name)) }
        return .success(fields)
    }

    private static func words(_ value: String) -> [String] {
        value.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
    }

    /// 22 digits of Base64 and two signs for padding.
    private static func isKey(_ key: String) -> Bool {
        key.utf8.count == 24 && key.hasSuffix("==")
            && key.utf8.dropLast(2).allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }

    // MARK: Protocols

    private static func offered(_ head: RequestHead) -> [String] {
        head.values(of: "Sec-WebSocket-Protocol").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" } }.filter { !$0.isEmpty }
    }

    /// The texts among the offered protocols that may be a token: browsers cannot set any other header field. A client
    /// offers `bearer, TOKEN`, `token.TOKEN`, or the token alone.
    package static func tokens(_ head: RequestHead) -> [String] {
        offered(head).filter { $0 != "bearer" }.map { $0.hasPrefix("token.") ? String($0.dropFirst(6)) : $0 }
    }

    /// The protocol that the server names. A browser fails if none of its protocols is named.
    private static func chosen(_ head: RequestHead) -> String? {
        let offered = offered(head)
        return offered.first { $0 == "bearer" } ?? offered.first
    }
}

/// A request that is no handshake.
package struct RefusedHandshake: Error, Hashable {
    package let refusal: Handshake.Refusal

    init(_ refusal: Handshake.Refusal) { self.refusal = refusal }
}
