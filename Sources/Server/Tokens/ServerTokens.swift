package import System

/// The tokens of a server that more than one person reaches.
package struct ServerTokens: Sendable {
    /// Permission of a token.
    package enum Scope: String, Sendable, Hashable, CaseIterable {
        /// Searching.
        case search
        /// Imports and look-ups, and the jobs that were ordered with the same token.
        case `import`
        /// Everything, including all jobs.
        case admin
    }

    /// Why a known token is refused. Only its holder learns it.
    package enum Refusal: Sendable, Hashable {
        case expired, revoked

        package var sentence: String {
            switch self {
            case .expired: "This token has expired."
            case .revoked: "This token has been revoked."
            }
        }
    }

    /// The sender of a request.
    package struct Access: Sendable, Hashable {
        /// The token's name; nil if the server has no tokens.
        package var name: String?
        /// Whose jobs and kept answers it has: ``TokenLine/owner``; nil if the server has no tokens.
        package var owner: String?
        package var scopes: Set<Scope>
        /// The library that jobs belong to; nil for the one that the request names.
        package var library: String?
        /// Why the token of the request is not valid any more; nil if it is valid or unknown.
        package var refusal: Refusal?

        /// Everything is allowed, because the server has no tokens.
        package static let unrestricted = Access(name: nil, scopes: Set(Scope.allCases), library: nil)
        /// Nothing is allowed that needs a token.
        package static let none = Access(name: nil, scopes: [], library: nil)

        /// Whether what it has started may still be watched and read: until it is revoked, or not in the file any more.
        var keepsJobs: Bool { !scopes.isEmpty || refusal == .expired }

        package func has(_ scope: Scope) -> Bool { scopes.contains(scope) || scopes.contains(.admin) }
    }

    /// A token as requests are checked against it.
    private struct Known: Sendable {
        let hash: [UInt8]
        let access: Access
        let endsAt: Int64?
        let refusal: Refusal
    }

    /// The lines of its file that have tokens, in their order.
    package private(set) var lines: [TokenLine] = []
    private var known: [Known] = []
    /// The places in ``known``, by ``TokenLine/owner``.
    private var places: [String: Int] = [:]

    /// No tokens: no request is refused.
    package init() {}

    /// Reads a file. Each line has a name, the SHA-256 of the token in hexadecimal digits, its scopes separated by
    /// commas, and optionally the library that its jobs belong to (`-` for none) and its end: the last day on which
    /// it is valid, in UTC, or `revoked`. Empty lines and those that begin with `#` are ignored.
    ///
    /// - Throws: `.configuration` for a line that cannot be read.
    package init(parsing text: String, named path: String) throws(ETLError) {
        var names: Set<String> = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do throws(TokenLine.Mistake) {
                guard let token = try TokenLine(line) else { continue }
                guard names.insert(token.name).inserted else {
                    throw TokenLine.Mistake(reason: "the name `\(token.name)` occurs twice")
                }
                add(token)
            } catch {
                throw ETLError(
                    .configuration, "\(path):\(number + 1): \(error.reason).",
                    advice:
                        "Each line needs a name, the SHA-256 of the token, and scopes: search, import, admin."
                )
            }
        }
    }

    private mutating func add(_ token: TokenLine) {
        places[token.owner] = known.count
        lines.append(token)
        known.append(
            Known(
                hash: token.hash,
                access: Access(
                    name: token.name, owner: token.owner, scopes: token.scopes, library: token.library),
                endsAt: token.endsAt, refusal: token.end == .revoked ? .revoked : .expired))
    }

    /// Revokes a token.
    mutating func revoke(_ name: String) {
        let lines = lines
        (self.lines, known, places) = ([], [], [:])
        for var line in lines {
            if line.name == name { line.end = .revoked }
            add(line)
        }
    }

    /// Whether the server has no tokens. Those that are not valid any more count too.
    package var isEmpty: Bool { lines.isEmpty }

    /// Access that a token grants.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package func access(_ token: String?, now: Int64) -> Access {
        guard !isEmpty else { return .unrestricted }
        guard let token else { return .none }
        return self.access(hash: Secret.hash(token), now: now)
    }

    /// Access that the token with a hash grants.
    func access(hash: [UInt8], now: Int64) -> Access {
        // All are compared, whether one has matched or not.
        var found: Known?
        for token in known where Secret.isEqual(token.hash, hash) { found = token }
        return found.map { Self.access($0, now: now) } ?? .none
    }

    /// Access that the token of an owner grants; none if there is no such token any more.
    func access(ofOwner owner: String, now: Int64) -> Access {
        guard !isEmpty else { return .unrestricted }
        return places[owner].map { Self.access(known[$0], now: now) } ?? .none
    }

    private static func access(_ found: Known, now: Int64) -> Access {
        guard let end = found.endsAt, now >= end else { return found.access }
        var access = Access.none
        access.refusal = found.refusal
        return access
    }
}
