/// A request to a service, with the bounds that its answer has to keep.
package struct HTTPRequest: Sendable, Hashable {
    /// A header field. Its value may be a credential, so it is never part of a message.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Absolute, `http` or `https`.
    package var url: String
    package var fields: [Field]
    /// What is posted; nil for a GET.
    package var body: [UInt8]?
    /// Nanoseconds from the start to the last byte, redirects not included.
    package var timeLimit: UInt64
    /// Bytes the answer may have, unpacked.
    package var byteLimit: Int
    /// Whether the operator named this very address: then it may lie in a private network. A redirect away from it
    /// may not.
    package var isOperatorsAddress: Bool

    package init(
        _ url: String, fields: [Field] = [], body: [UInt8]? = nil, timeLimit: UInt64 = 10_000_000_000,
        byteLimit: Int = 16 << 20, isOperatorsAddress: Bool = false
    ) {
        self.url = url
        self.fields = fields
        self.body = body
        self.timeLimit = timeLimit
        self.byteLimit = byteLimit
        self.isOperatorsAddress = isOperatorsAddress
    }

    /// Scheme, host and port of a URL, as it spells them: two requests to one origin share what is learned of it.
    package static func origin(of url: String) -> String {
        let bytes = url.utf8
        let separator = "://".utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: separator)
        else { return url }
        let end = bytes[colon...].dropFirst(separator.count).firstIndex { "/?#".utf8.contains($0) }
        return url[..<(end ?? url.endIndex)].lowercased()
    }

    /// The request that follows a redirect: a GET of the new address, without credentials where it is another's.
    func redirected(to url: String) -> HTTPRequest {
        var next = self
        next.url = url
        guard Self.origin(of: url) != Self.origin(of: self.url) else { return next }
        next.isOperatorsAddress = false
        next.fields.removeAll { field in
            ["authorization", "cookie", "x-goog-api-key"].contains(field.name.lowercased())
        }
        return next
    }
}

/// An answer of a service, whatever its status.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    /// Values by name in lower case; of a name that comes twice, the last.
    package var fields: [String: String]
    /// Unpacked.
    package var body: [UInt8]
    /// Where it redirects to, absolute; nil where it does not.
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

/// Why a request has no answer that can be used.
package enum HTTPFailure: Error, Sendable, Hashable {
    /// Not answered in time, or only drop by drop.
    case timedOut
    /// The host is not there, does not listen or hung up before it said anything.
    case unreachable(String)
    /// The connection broke in the midst of the answer.
    case cutOff
    /// The certificate is not to be trusted, or TLS failed otherwise.
    case insecure(String)
    /// The answer is longer than it may be.
    case tooLarge
    /// The URL, or what a redirect leads to, is not allowed: another scheme, or a private address nobody named.
    case forbiddenAddress
    case tooManyRedirects
    /// Nobody waits for it any more.
    case canceled

    /// Whether another attempt may go better.
    package var isWorthRetrying: Bool {
        switch self {
        case .timedOut, .unreachable, .cutOff: true
        case .insecure, .tooLarge, .forbiddenAddress, .tooManyRedirects, .canceled: false
        }
    }

    /// What happened, to be put after the service's name. It names no URL, for that may hold a key.
    package var words: String {
        switch self {
        case .timedOut: "did not answer in time"
        case .unreachable(let why): "cannot be reached (\(why))"
        case .cutOff: "hung up in the midst of an answer"
        case .insecure(let why): "has no trustworthy connection (\(why))"
        case .tooLarge: "sent an answer that is too long"
        case .forbiddenAddress: "leads to an address that is not allowed"
        case .tooManyRedirects: "redirects without end"
        case .canceled: "was not waited for"
        }
    }
}

/// What carries requests to services: libcurl in earnest (``CurlClient``), anything in a test.
package protocol HTTPTransport: Sendable {
    /// Sends a request and gives the answer, whatever its status.
    ///
    /// - Throws: Where there is no answer, or none that may be used. Ends early when the task is cancelled.
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}

/// Carries nothing anywhere: for a run that must not ask.
package struct OfflineTransport: HTTPTransport {
    package init() {}

    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        throw .unreachable("asked for without a network")
    }
}
