/// Class of a request for the limits of a client, by the name that operators use.
package enum RequestClass: String, Sendable, Hashable, CaseIterable {
    case search, similar, semantic
    /// Looking up one book.
    case enrich
    /// The same for clients on this machine and those with a token of the server.
    case trustedEnrich = "enrich-trusted"
    case batch, imports, scan
    /// Watching a job: its status, opening a stream or WebSocket, its results and errors; canceling it.
    case status, stream, results, cancel
    /// A page for browsers.
    case page
    /// Trying a token on the sign-in page.
    case signIn = "sign-in"
    /// Requests without their own limit.
    case other

    /// Requests per minute and client, unless an operator says otherwise.
    package var perMinute: Int {
        switch self {
        case .search: 100
        case .similar, .batch, .signIn: 10
        case .semantic, .enrich, .imports, .scan: 5
        case .status, .stream, .results, .cancel: 30
        case .page: 120
        case .trustedEnrich, .other: 50
        }
    }

    /// The class whose limit a request counts for.
    func counted(isTrusted: Bool) -> RequestClass { self == .enrich && isTrusted ? .trustedEnrich : self }
}

/// How many requests a client may send. 0 is any number.
package struct LimitTable: Sendable, Hashable {
    private var perMinute: [RequestClass: Int] = [:]
    /// Requests per minute of all classes together, without those that have a higher limit. It does not hold for clients on
    /// this machine and those with a token of the server.
    package private(set) var burst = 50
    /// Requests per hour of all classes together.
    package private(set) var hour = 1_000

    package init() {}

    /// Requests of a class per minute.
    package subscript(_ kind: RequestClass) -> Int { perMinute[kind] ?? kind.perMinute }

    /// Changes a limit: `enrich=20`.
    ///
    /// - Returns: False if the text is not a name and a number.
    package mutating func take(_ text: String) -> Bool {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[1]), (0...1_000_000).contains(count) else {
            return false
        }
        switch parts[0] {
        case "burst": burst = count
        case "hour": hour = count
        default:
            guard let kind = RequestClass(rawValue: String(parts[0])) else { return false }
            perMinute[kind] = count
        }
        return true
    }

    /// The names of all limits.
    package static var names: [String] { RequestClass.allCases.map(\.rawValue) + ["burst", "hour"] }
}
