import FoundationEssentials

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
    }

    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

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
        var fields = [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", accept(key))]
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

    static func accept(_ key: String) -> String {
        Data(SHA1.digest(Array((key + suffix).utf8))).base64EncodedString()
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

    /// The protocol that the server names. A browser fails if none of its own is named.
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

/// SHA-1 (FIPS 180-4), which the handshake of WebSockets prescribes. It protects nothing here.
enum SHA1 {
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
        }
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<start + 64], to: &state) }
        return state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 80)
        for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words[index] = rotated(mixed, 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
        }
        state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
    }

    private static func rotated(_ word: UInt32, _ places: UInt32) -> UInt32 {
        word << places | word >> (32 - places)
    }
}
