import Pipeline

/// Where a service is and as whom it is asked.
package struct ServiceEndpoint: Sendable, Hashable {
    /// Without a slash at the end.
    package let baseURL: String
    /// Whether the operator set it: then it may lie in a private network.
    package let isOperators: Bool
    /// The credential; it goes into a header field and nowhere else.
    package let key: String?
    /// What pace is kept by: where it is, and a digest of the credential that does not give it away. Services that
    /// stand behind one host, as a mirror's or the fakes, have a pace each.
    package let account: String

    package init(_ baseURL: String, isOperators: Bool = false, key: String? = nil) {
        var url = baseURL
        while url.hasSuffix("/") { url.removeLast() }
        self.baseURL = url
        self.isOperators = isOperators
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
            isOperatorsAddress: isOperators)
    }
}
