import Foundation

/// Which proxy a request goes through, by the variables that libcurl reads and in its order.
///
/// It is asked for each request and each redirect, and libcurl is told the answer: so the check of addresses
/// (``AddressPolicy``) is left to a proxy only where one sees the connection.
struct ProxyPolicy: Sendable {
    private let http: String?
    private let https: String?
    private let exempt: [String]

    /// The rule of an environment. `HTTP_PROXY` is not heard: a web server sets it to what a client sends (CGI).
    init(_ environment: [String: String]) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        http = first("http_proxy", "all_proxy", "ALL_PROXY")
        https = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exempt = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
            .split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// The proxy as its variable spells it; nil where the request goes straight to its host.
    func proxy(for url: String) -> String? {
        let origin = HTTPRequest.origin(of: url)
        guard let proxy = origin.hasPrefix("https:") ? https : http else { return nil }
        return isExempt(Self.host(of: origin)) ? nil : proxy
    }

    /// Whether a host is in the list of those that need no proxy: itself, a domain it belongs to, or a network.
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

    /// - Parameter network: An address, or one with the number of bits that count: `10.0.0.0/8`.
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
