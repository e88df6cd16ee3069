/// The browsers that have signed in. A session is known by the hash of its random id. It grants what its token grants,
/// as long as the token is valid. Times are milliseconds since 1970.
package struct Sessions: Sendable {
    private struct Session: Sendable {
        /// The hash of the token. A name can be given to another token later.
        let token: [UInt8]
        let endsAt: Int64
    }

    /// How long a session lasts: 30 days.
    package static let lifetime: Int64 = 30 * 86_400_000
    /// Maximum number of sessions of one token. The oldest ends for a new one.
    package static let perToken = 64

    private var sessions: [[UInt8]: Session] = [:]

    package init() {}

    package var count: Int { sessions.count }

    /// Begins a session.
    ///
    /// - Parameter token: The hash of its token.
    package mutating func begin(_ id: Secret, of token: [UInt8], now: Int64) {
        sessions = sessions.filter { now < $0.value.endsAt }
        let ofToken = sessions.filter { $0.value.token == token }
        if ofToken.count >= Self.perToken, let oldest = ofToken.min(by: { $0.value.endsAt < $1.value.endsAt })
        {
            sessions[oldest.key] = nil
        }
        sessions[Secret.hash(id.text)] = Session(token: token, endsAt: now + Self.lifetime)
    }

    /// The hash of a session's token; nil if there is no such session.
    package func token(of id: String, now: Int64) -> [UInt8]? {
        sessions[Secret.hash(id)].flatMap { now < $0.endsAt ? $0.token : nil }
    }

    /// Ends a session.
    package mutating func end(_ id: String) { sessions[Secret.hash(id)] = nil }

    /// Ends the sessions of tokens that are not valid.
    package mutating func end(where isEnded: (_ token: [UInt8]) -> Bool) {
        sessions = sessions.filter { !isEnded($0.value.token) }
    }
}
