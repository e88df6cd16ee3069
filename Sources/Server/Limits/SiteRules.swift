/// Which names the server answers to, and which web pages may use it.
package struct SiteRules: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>

    /// - Parameters:
    ///   - hosts: Names that lead to the server, besides `localhost`.
    ///   - origins: Other sites whose pages may use it: `https://books.example`.
    package init(hosts: [String] = [], origins: [String] = []) {
        self.hosts = Set(hosts.map { $0.lowercased() } + ["localhost"])
        self.origins = Set(origins.map { $0.lowercased() })
    }

    /// Whether a request names this server. A page on another name could make that name lead here (DNS rebinding);
    /// it cannot do so with an address.
    ///
    /// - Parameter host: The header field `Host`: `localhost:8787`, `[::1]:8787`.
    package func isOurs(host: String) -> Bool {
        guard let name = Self.name(host) else { return false }
        return hosts.contains(name) || IPAddress(name) != nil
    }

    /// The name without the port, in lower case; nil if it is not one.
    private static func name(_ host: String) -> String? {
        var name = Substring(host.lowercased())
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            let rest = name[name.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            return String(name[name.index(after: name.startIndex)..<end])
        }
        if let colon = name.firstIndex(of: ":") {
            guard isPort(name[colon...]) else { return nil }
            name = name[..<colon]
        }
        if name.hasSuffix(".") { name = name.dropLast() }
        return name.isEmpty ? nil : String(name)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Origin of a request.
    package enum Origin: Sendable, Hashable {
        /// No page of another site: the server's own, or no browser.
        case own
        /// Another site that may use the server.
        case allowed(String)
        case refused
    }

    /// - Parameters:
    ///   - origin: The header field `Origin`; nil if there is none.
    ///   - host: The header field `Host`.
    package func origin(_ origin: String?, host: String) -> Origin {
        guard let origin else { return .own }
        if origins.contains(origin.lowercased()) { return .allowed(origin) }
        let site = origin.lowercased().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard site.count == 3, site[0] == "http:" || site[0] == "https:", site[1].isEmpty,
            site[2] == host.lowercased()
        else { return .refused }
        return .own
    }
}
