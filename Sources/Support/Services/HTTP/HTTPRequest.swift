/// A request to a service, with limits for its response.
package struct HTTPRequest: Sendable, Hashable {
    /// A header field. Its value never appears in a message.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String
        /// Whether the value is a credential. It is not sent to another origin.
        package var isSecret: Bool

        package init(_ name: String, _ value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// Absolute, `http` or `https`.
    package var url: String
    package var fields: [Field]
    /// The body of a POST; nil for a GET.
    package var body: [UInt8]?
    /// Maximum time from start to last byte in nanoseconds, not including redirects.
    package var timeLimit: UInt64
    /// Maximum length of the response in bytes, decompressed.
    package var byteLimit: Int
    /// Whether the user configured this address. Then it may be in a private network; the target of a
    /// redirect to another origin may not.
    package var allowsPrivateNetwork: Bool

    package init(
        _ url: String, fields: [Field] = [], body: [UInt8]? = nil, timeLimit: UInt64 = 10_000_000_000,
        byteLimit: Int = 16 << 20, allowsPrivateNetwork: Bool = false
    ) {
        self.url = url
        self.fields = fields
        self.body = body
        self.timeLimit = timeLimit
        self.byteLimit = byteLimit
        self.allowsPrivateNetwork = allowsPrivateNetwork
    }

    /// Scheme, host and port of a URL, in lower case.
    package static func origin(of url: String) -> String {
        let bytes = url.utf8
        let separator = "://".utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: separator)
        else { return url }
        let end = bytes[colon...].dropFirst(separator.count).firstIndex { "/?#".utf8.contains($0) }
        return url[..<(end ?? url.endIndex)].lowercased()
    }

    /// The URL without user information, query and fragment, which may contain credentials: for messages.
    package var address: String {
        let origin = url.prefix(Self.origin(of: url).count)
        let path = url.dropFirst(origin.count).prefix { $0 != "?" && $0 != "#" }
        guard let at = origin.lastIndex(of: "@"), let slash = origin.lastIndex(of: "/") else {
            return "\(origin)\(path)"
        }
        return "\(origin[...slash])\(origin[origin.index(after: at)...])\(path)"
    }

    /// HTTP's own fields for credentials, which are secret whether marked or not.
    private static let credentialFields: Set = ["authorization", "proxy-authorization", "cookie"]

    /// The request that follows a redirect. If it goes to another origin, credentials are removed.
    func redirected(to url: String) -> HTTPRequest {
        var next = self
        next.url = url
        guard Self.origin(of: url) != Self.origin(of: self.url) else { return next }
        next.allowsPrivateNetwork = false
        next.fields.removeAll { $0.isSecret || Self.credentialFields.contains($0.name.lowercased()) }
        return next
    }
}

/// A response of a service, with any status.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    /// Values by lower-case name. If a name occurs twice, the last value counts.
    package var fields: [String: String]
    /// Decompressed.
    package var body: [UInt8]
    /// The absolute URL it redirects to; nil if it does not.
    package var location: String?

    package init(
        status: Int, fields: [String: String] = [:], body: [UInt8] = [], location: String? = nil
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.location = location
    }
}

/// Why a request has no usable response.
package enum HTTPFailure: Error, Sendable, Hashable {
    /// No response in time, or too slow.
    case timedOut
    /// The host's name cannot be resolved, there is no route to it, or the request cannot be sent.
    case unreachable(String)
    /// The host refused the connection.
    case refused
    /// The connection was closed during the response.
    case cutOff
    /// The certificate is not trusted, or TLS failed otherwise. The text says which.
    case insecure(String)
    /// The response is over the length limit.
    case tooLarge
    /// The URL or the target of a redirect is not allowed: another scheme, or a private address that the user
    /// did not configure.
    case forbiddenAddress
    case tooManyRedirects
    /// The caller was canceled.
    case canceled

    /// Whether another attempt may succeed.
    package var isWorthRetrying: Bool {
        switch self {
        case .timedOut, .unreachable, .refused, .cutOff: true
        case .insecure, .tooLarge, .forbiddenAddress, .tooManyRedirects, .canceled: false
        }
    }

    /// The cause in a few words, if more is known than the kind of failure. It contains no URL, because a URL
    /// may contain a key.
    package var detail: String? {
        switch self {
        case .unreachable(let why), .insecure(let why): why
        default: nil
        }
    }
}

/// Sends requests to services: libcurl in production (``CurlClient``), anything in a test.
package protocol HTTPTransport: Sendable {
    /// Sends a request and returns the response, with any status. Ends early if the task is canceled.
    ///
    /// - Throws: If there is no usable response.
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}

/// Sends nothing: for a run that must not use the network.
package struct OfflineTransport: HTTPTransport {
    package init() {}

    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        throw .unreachable("network access is off")
    }
}
