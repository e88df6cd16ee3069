import Database
package import System

/// A token by its hash, which is all that is stored of it.
package struct JobToken: Sendable, Hashable {
    /// Time before its end at which a connected client's token is renewed, in milliseconds.
    package static let renewal: Int64 = 30 * 60_000
    /// Time after its end in which a client that was cut off during a renewal may use the token, in
    /// milliseconds.
    package static let grace: Int64 = 5 * 60_000
    /// Its lifetime, in milliseconds.
    package static let lifetime: Int64 = 2 * 3_600_000

    /// SHA-256 of the token.
    package var hash: [UInt8]
    package var job: String
    /// Milliseconds since 1970.
    package var expiresAt: Int64
    /// When it was renewed last, in milliseconds since 1970; nil if never.
    package var renewedAt: Int64?

    package init(hash: [UInt8], job: String, expiresAt: Int64, renewedAt: Int64? = nil) {
        self.hash = hash
        self.job = job
        self.expiresAt = expiresAt
        self.renewedAt = renewedAt
    }
}

extension JobQueue {
    /// Keeps a token, or its new end.
    package func keep(_ token: JobToken) throws(ETLError) {
        try put(token)
    }

    func put(_ token: JobToken) throws(ETLError) {
        try connection.execute(
            "INSERT OR REPLACE INTO tokens VALUES (?1, ?2, ?3, ?4)", token.hash, token.job, token.expiresAt,
            token.renewedAt)
    }

    /// All tokens.
    package func tokens() throws(ETLError) -> [JobToken] {
        let rows = try connection.prepare("SELECT hash, job, expires_at, renewed_at FROM tokens")
        var tokens: [JobToken] = []
        while try rows.next() {
            tokens.append(
                JobToken(
                    hash: rows.bytes(0), job: rows.string(1), expiresAt: rows.integer(2),
                    renewedAt: rows.optionalInteger(3)))
        }
        return tokens
    }
}
