/// Determines who sends a request: the other end of the connection, or, behind a proxy that is trusted, whom the
/// proxy names.
package struct ClientAddress: Sendable {
    /// A range of addresses: `10.0.0.0/8`, or one address.
    package struct Range: Sendable, Hashable {
        private let address: IPAddress
        private let bits: Int

        /// Nil if the text is no address and no range.
        package init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
            let all = address.bytes.count * 8
            if parts.count == 2 {
                guard let bits = Int(parts[1]), (0...all).contains(bits) else { return nil }
                self.bits = bits
            } else {
                bits = all
            }
            self.address = address
        }

        func contains(_ other: IPAddress) -> Bool { other.matches(address, bits: bits) }
    }

    private let proxies: [Range]

    /// - Parameter proxies: The addresses whose `X-Forwarded-` fields are believed.
    package init(proxies: [Range] = []) { self.proxies = proxies }

    /// Whether the other end of a connection is a trusted proxy.
    package func trusts(peer: String) -> Bool {
        !proxies.isEmpty && IPAddress(peer).map(isProxy) ?? false
    }

    private func isProxy(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }

    /// The client's address, `192.0.2.7`.
    ///
    /// - Parameters:
    ///   - peer: The other end of the connection.
    ///   - forwarded: The values of `X-Forwarded-For`. Each proxy adds the address that it sees at the end, so they
    ///     are believed from the end on, as long as they were added by a trusted proxy.
    package func client(peer: String, forwarded: [String]) -> String {
        guard trusts(peer: peer) else { return peer }
        var client = peer
        let named = forwarded.flatMap { $0.split(separator: ",") }.map { part in
            String(part.filter { $0 != " " && $0 != "\t" })
        }
        for name in named.reversed() {
            guard let address = IPAddress(name) else { break }
            client = name
            if !isProxy(address) { break }
        }
        return client
    }

    /// Name of a user for limits, turns and quotas: the owner of the token, or without one the client's address.
    package static func user(_ owner: String?, at client: String) -> String {
        owner.map { "token \($0)" } ?? key(client)
    }

    /// Key under which a client's requests are counted, however its address is spelled. In IPv6 one client has at least a
    /// whole /64.
    package static func key(_ client: String) -> String {
        guard let address = IPAddress(client) else { return client }
        guard address.isV6 else { return address.text }
        return address.bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
}
