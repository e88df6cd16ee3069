import System

/// A service's address and the credential it is asked with.
package struct ServiceEndpoint: Sendable, Hashable {
    /// Without a trailing slash.
    package let baseURL: String
    /// Whether the user configured it. Then it may be in a private network.
    package let isUserConfigured: Bool
    /// The credential. It is only ever sent in a header field.
    package let key: String?
    /// The account that rate limits are kept for: the address, plus a digest that does not reveal the
    /// credential. Services behind one host, such as a mirror or the fake services, each have their own.
    package let account: String

    package init(_ baseURL: String, isUserConfigured: Bool = false, key: String? = nil) {
        var url = baseURL
        while url.hasSuffix("/") { url.removeLast() }
        self.baseURL = url
        self.isUserConfigured = isUserConfigured
        self.key = key.flatMap { $0.isEmpty ? nil : $0 }
        account = Self.account(url, self.key)
    }

    private static func account(_ url: String, _ key: String?) -> String {
        guard let key else { return url }
        var digest = SHA256()
        digest.update(Array(key.utf8))
        return "\(url)#\(digest.hexDigest.prefix(16))"
    }

    package func request(_ path: String, fields: [HTTPRequest.Field] = [], body: [UInt8]? = nil)
        -> HTTPRequest
    {
        HTTPRequest(
            baseURL + path, fields: fields + [HTTPRequest.Field("Accept", "application/json")], body: body,
            allowsPrivateNetwork: isUserConfigured)
    }
}
