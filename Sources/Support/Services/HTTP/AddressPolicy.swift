import FoundationEssentials
import Glibc

/// Which addresses a request may reach if the user did not configure them: neither the machine itself nor its
/// private networks (RFC 1918, 4193, 6598, 3927, 4291). It is checked after name resolution, so a host name
/// cannot circumvent it.
enum AddressPolicy {
    /// Whether an address is on the public internet.
    static func isPublic(_ address: UnsafePointer<sockaddr>) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                isPublic(ipv4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { isPublic(ipv6: Array($0)) }
            }
        default: false
        }
    }

    /// The same for an IPv4 address in the machine's byte order.
    static func isPublic(ipv4 address: UInt32) -> Bool {
        let (a, b) = (address >> 24, address >> 16 & 0xFF)
        switch (a, b) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): return false
        case (172, 16...31), (100, 64...127), (198, 18...19): return false
        // 192.0.0.0/24 is for protocols; 224.0.0.0 and above is multicast and reserved.
        case (192, 0): return address >> 8 & 0xFF != 0
        default: return a < 224
        }
    }

    /// The same for the sixteen bytes of an IPv6 address. If it contains an IPv4 address, that one decides.
    static func isPublic(ipv6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        func ipv4(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return isPublic(ipv4: ipv4(at: 12))
        }
        // 64:ff9b::/96 and 2002::/16 contain IPv4 addresses too.
        if bytes[0] == 0, bytes[1] == 0x64, bytes[2] == 0xFF, bytes[3] == 0x9B {
            return isPublic(ipv4: ipv4(at: 12))
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return isPublic(ipv4: ipv4(at: 2)) }
        // Of the rest, only 2000::/3 is allocated.
        return bytes[0] & 0xE0 == 0x20
    }
}

/// Which proxy a request uses, according to the variables that libcurl reads and in the same order.
///
/// It is determined for each request and each redirect, and passed to libcurl. So the address check
/// (``AddressPolicy``) is left to a proxy only if the connection really goes through one.
struct ProxyPolicy: Sendable {
    private let http: String?
    private let https: String?
    private let exempt: [String]

    /// Reads the variables of an environment. `HTTP_PROXY` is ignored, because in a web server (CGI) clients
    /// can set it.
    init(_ environment: [String: String]) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        http = first("http_proxy", "all_proxy", "ALL_PROXY")
        https = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exempt = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
            .split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// The proxy as written in its variable; nil if the request goes directly to its host.
    func proxy(for url: String) -> String? {
        let origin = HTTPRequest.origin(of: url)
        guard let proxy = origin.hasPrefix("https:") ? https : http else { return nil }
        return isExempt(Self.host(of: origin)) ? nil : proxy
    }

    /// Whether the list of exempt hosts includes a host: itself, a domain it belongs to, or its network.
    private func isExempt(_ host: Substring) -> Bool {
        if exempt == ["*"] { return true }
        if let address = Self.address(host) {
            return exempt.contains { Self.network($0, holds: address) }
        }
        let host = host.hasSuffix(".") ? host.dropLast() : host
        return exempt.contains { entry in
            let name = entry.drop { $0 == "." }
            return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
        }
    }

    private static func host(of origin: String) -> Substring {
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? ""
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        if host.first == "[" { return host.dropFirst().prefix { $0 != "]" } }
        return host.prefix { $0 != ":" }
    }

    /// - Parameter network: An address, or an address with the number of significant bits: `10.0.0.0/8`.
    private static func network(_ network: String, holds address: [UInt8]) -> Bool {
        let parts = network.split(separator: "/", maxSplits: 1)
        guard let text = parts.first, let first = Self.address(text), first.count == address.count else {
            return false
        }
        let all = address.count * 8
        guard let bits = parts.count > 1 ? Int(parts[1]) : all, (0...all).contains(bits) else { return false }
        let (bytes, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard address[..<bytes] == first[..<bytes] else { return false }
        return rest == 0 || (address[bytes] ^ first[bytes]) >> UInt8(8 - rest) == 0
    }

    /// The four or sixteen bytes of an address; nil for a name.
    private static func address(_ text: some StringProtocol) -> [UInt8]? {
        let text = String(text)
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
