import Contract
import Jobs
import System

/// The answer to a request while it is made: the middleware's additions to the route's response.
final class Answer: Sendable {
    private struct State: Sendable {
        var fields: [(name: String, value: String)] = []
        var route: Route?
        var token: String?
        var owner: String?
        var job: String?
    }

    private let exchange: Exchange
    /// The request's head, with its path below the server's own.
    private let head: RequestHead
    private let backend: Backend
    private let state = Guarded(State())
    let client: String
    /// The server as the client sees it.
    let site: RequestSite
    let id: String

    init(_ exchange: Exchange, _ head: RequestHead, _ backend: Backend) {
        self.exchange = exchange
        self.head = head
        self.backend = backend
        client = backend.settings.addresses.client(
            peer: exchange.peer, forwarded: head.values(of: "X-Forwarded-For"))
        site = RequestSite(
            head, isEncrypted: backend.settings.http.tls != nil,
            isTrusted: backend.settings.addresses.trusts(peer: exchange.peer), base: backend.settings.base)
        id = RequestID.of(head)
    }

    /// The route that was found; nil if there is none.
    var route: Route? { state.withLock { $0.route } }
    /// The name of the server's token; nil without one.
    var token: String? { state.withLock { $0.token } }
    /// The job that the request is about; nil if the path names none.
    var job: String? { state.withLock { $0.job } }

    func found(_ route: Route) { state.withLock { $0.route = route } }

    func note(_ access: ServerTokens.Access, job: String?) {
        guard access.name != nil || job != nil else { return }
        state.withLock { state in
            (state.token, state.owner) = (access.name, access.owner)
            state.job = job.flatMap { JobName.isValid($0) ? $0 : nil }
        }
    }

    /// The user whose turn it is in a pool.
    var user: String { ClientAddress.user(state.withLock { $0.owner }, at: client) }

    /// Whether the client has left.
    var isAbandoned: Bool { exchange.isAbandoned }

    /// The answer to a client that has left. Only the log shows its status, which is nginx's for this case.
    static let abandoned = Response(499, .bytes([]))

    /// Whether a browser shows the answer to a person.
    var isForBrowser: Bool {
        let path = head.path
        return (path == "/" || path.hasPrefix("/page/") || route == nil)
            && head["Accept"]?.contains("text/html") ?? false
    }

    /// Adds a header field.
    func add(_ name: String, _ value: String) { state.withLock { $0.fields.append((name, value)) } }

    /// Tells the client about its limits.
    func note(_ decision: ClientLimits.Decision, now: Int64) {
        add("X-RateLimit-Limit", "\(decision.limit)")
        add("X-RateLimit-Remaining", "\(decision.remaining)")
        add("X-RateLimit-Reset", "\((now + decision.fullAfter / 1_000 + 999) / 1_000)")
    }

    /// Allows another site's page to read the answer.
    func allow(_ origin: String) {
        add("Access-Control-Allow-Origin", origin)
        add("Vary", "Origin")
        add(
            "Access-Control-Expose-Headers",
            "Deprecation, ETag, Link, Location, Retry-After, Sunset, Warning, X-API-Version, X-Cache, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
        )
        guard head.method == .options else { return }
        add("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE")
        add(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-API-Version, X-Client-Version, traceparent"
        )
        add("Access-Control-Max-Age", "600")
    }

    /// Gives a failure.
    ///
    /// - Parameter closes: Whether the connection is closed afterwards.
    /// - Returns: Nil: nothing receives a body.
    func refuse(_ error: ResponseError, status: Int? = nil, closes: Bool = false) -> (any BodyReceiver)? {
        var response = Reply.failure(error, status: status, now: backend.clock.epochMilliseconds())
        if isForBrowser {
            let page = NoticePage.failure(
                error.message, PageViewer(isSignedIn: token != nil, base: site.base))
            var html = PageRoutes.html(page, status: response.status)
            if let wait = response["Retry-After"] { html.add("Retry-After", wait) }
            response = html
        }
        response.closes = closes
        give(response)
        return nil
    }

    /// Gives the answer.
    func give(_ response: Response) {
        var response = response
        response.mount(at: site.base)
        if site.isSecure { response.secureCookies() }
        if site.isStrict { response.add("Strict-Transport-Security", "max-age=31536000") }
        response.add("X-Request-Id", id)
        response.add("X-API-Version", APIVersion(of: head).rawValue)
        response.add("X-Content-Type-Options", "nosniff")
        for (name, value) in state.withLock({ $0.fields }) { response.add(name, value) }
        exchange.answer(response)
    }
}

/// The identifier of a request, for clients and for the log.
enum RequestID {
    /// The client's own if it is harmless, else a new one.
    static func of(_ head: RequestHead) -> String {
        if let given = head["X-Request-Id"], (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy({ isPlain($0) })
        {
            return given
        }
        return String(UInt64.random(in: UInt64.min...UInt64.max), radix: 16)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
