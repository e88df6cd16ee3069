/// How the client of a request sees the server: by which name and port, whether over TLS, and under which path. A trusted
/// proxy says so with `X-Forwarded-Host`, `-Port`, `-Proto` and `-Prefix`.
package struct RequestSite: Sendable, Hashable {
    /// Name and port, like the header field `Host`.
    package let host: String
    /// Whether the client's connection is encrypted.
    package let isSecure: Bool
    /// Path of the server as the client spells it.
    package let base: BasePath

    /// - Parameters:
    ///   - isEncrypted: Whether the server's own connection is.
    ///   - isTrusted: Whether the other end is a proxy whose fields are believed.
    ///   - base: Path under which the server itself is mounted. A proxy may remove another one in front of it.
    package init(_ head: RequestHead, isEncrypted: Bool, isTrusted: Bool, base: BasePath = .root) {
        guard isTrusted else {
            (host, isSecure, self.base) = (head.host, isEncrypted, base)
            return
        }
        let scheme = Self.last(head.values(of: "X-Forwarded-Proto"))?.lowercased()
        let isSecure = scheme.map { $0 == "https" } ?? isEncrypted
        var host = Self.last(head.values(of: "X-Forwarded-Host")) ?? head.host
        // Behind the bracket, because an IPv6 address has colons.
        let rest = host[(host.lastIndex(of: "]") ?? host.startIndex)...]
        if let port = Self.last(head.values(of: "X-Forwarded-Port")), !rest.contains(":"),
            port != (isSecure ? "443" : "80")
        {
            host += ":\(port)"
        }
        let prefix = Self.last(head.values(of: "X-Forwarded-Prefix")).flatMap { BasePath($0) }
        (self.host, self.isSecure) = (host, isSecure)
        self.base = prefix?.appending(base) ?? base
    }

    /// The last value, added by the nearest proxy; nil if there is none.
    private static func last(_ values: [String]) -> String? {
        guard let part = values.last?.split(separator: ",").last else { return nil }
        let text = part.filter { $0 != " " && $0 != "\t" }
        return text.isEmpty ? nil : text
    }

    /// Whether browsers may be told to use only TLS. For `localhost` they would do so with all servers of the machine.
    package var isStrict: Bool { isSecure && !host.lowercased().hasPrefix("localhost") }
}
