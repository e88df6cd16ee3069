package import System

/// Finds out who sends a request: by the token in its head, or by the session of its browser.
package final class Authentication: Sendable {
    private struct State: Sendable {
        var tokens: ServerTokens
        var sessions = Sessions()
        /// When each token was last used, in milliseconds since 1970, by its name.
        var uses: [String: Int64] = [:]
    }

    private let state: Guarded<State>
    private let clock: any RunClock
    /// The file of the tokens; nil if they have none.
    private let file: TokenFile?

    package init(_ tokens: ServerTokens, in file: TokenFile? = nil, clock: any RunClock) {
        state = Guarded(State(tokens: tokens))
        self.file = file
        self.clock = clock
    }

    /// What the sender of a request may do.
    package func access(_ head: RequestHead) -> ServerTokens.Access {
        let now = clock.epochMilliseconds()
        let access = grant(to: head, at: now)
        if let name = access.name { state.withLock { $0.uses[name] = now } }
        return access
    }

    /// What the owner of a job may do now.
    ///
    /// - Parameter owner: ``ServerTokens/Access/owner``; nil for nobody, whom nothing limits.
    package func access(ofOwner owner: String?) -> ServerTokens.Access {
        guard let owner else { return .unrestricted }
        let now = clock.epochMilliseconds()
        return state.withLock { $0.tokens.access(ofOwner: owner, now: now) }
    }

    /// The tokens, in the order of their file.
    package var lines: [TokenLine] { state.withLock { $0.tokens.lines } }

    /// When a token was last used, in milliseconds since 1970; nil if it was not since the server's start.
    package func lastUse(of name: String) -> Int64? { state.withLock { $0.uses[name] } }

    /// Revokes a token, in its file too. Its sessions end.
    ///
    /// - Throws: As ``TokenFile/revoke(_:)``. The token stays valid then.
    package func revoke(_ name: String) throws(ETLError) {
        if let file {
            try file.revoke(name)
            return renew(try file.read())
        }
        var tokens = state.withLock { $0.tokens }
        tokens.revoke(name)
        renew(tokens)
    }

    private func grant(to head: RequestHead, at now: Int64) -> ServerTokens.Access {
        let tokens = state.withLock { $0.tokens }
        if let token = Credentials.bearer(head) { return tokens.access(token, now: now) }
        guard !tokens.isEmpty, let id = Credentials.cookie(head) else { return tokens.access(nil, now: now) }
        guard let hash = state.withLock({ $0.sessions.token(of: id, now: now) }) else { return .none }
        return tokens.access(hash: hash, now: now)
    }

    /// Begins a session of a browser.
    ///
    /// - Returns: Its id, and what the token grants; no id if the token is not valid.
    package func signIn(_ token: String) -> (id: Secret?, access: ServerTokens.Access) {
        let now = clock.epochMilliseconds()
        return state.withLock { state in
            let access = state.tokens.access(token, now: now)
            guard access.name != nil else { return (nil, access) }
            let id = Secret()
            state.sessions.begin(id, of: Secret.hash(token), now: now)
            return (id, access)
        }
    }

    /// Ends the session of a request's browser.
    package func signOut(_ head: RequestHead) {
        guard let id = Credentials.cookie(head) else { return }
        state.withLock { $0.sessions.end(id) }
    }

    /// Uses other tokens. The sessions of those that are no longer valid end.
    package func renew(_ tokens: ServerTokens) {
        let now = clock.epochMilliseconds()
        state.withLock { state in
            state.tokens = tokens
            state.sessions.end { tokens.access(hash: $0, now: now).name == nil }
        }
    }
}
