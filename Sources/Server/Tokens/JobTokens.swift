/// The tokens of jobs, by job. Times are milliseconds since 1970.
package struct JobTokens: Sendable {
    /// The result of checking a token.
    package enum Verdict: Sendable, Hashable {
        case valid
        /// It belongs to the job, but its time is over.
        case expired
        case wrong
    }

    /// Maximum number of tokens of one job. Each repeated request gets a new one.
    private static let perJob = 8

    private var tokens: [String: [JobToken]] = [:]

    package init(_ kept: [JobToken] = []) { for token in kept { add(token) } }

    /// Adds a token. The oldest one of its job may be dropped for it.
    package mutating func add(_ token: JobToken) {
        var ofJob = tokens[token.job] ?? []
        if ofJob.count >= Self.perJob { ofJob.removeFirst() }
        tokens[token.job] = ofJob + [token]
    }

    /// Forgets the tokens of a job.
    package mutating func remove(of job: String) { tokens[job] = nil }

    /// Whether a token may be used for a job.
    ///
    /// - Parameter reconnects: Whether the client was cut off. Then a token that has been renewed is valid a
    ///   little longer.
    package func check(
        _ text: String, for job: String, reconnects: Bool = false, now: Int64
    ) -> Verdict {
        guard let found = token(text, of: job) else { return .wrong }
        let grace = reconnects && found.renewedAt != nil ? JobToken.grace : 0
        return now < found.expiresAt + grace ? .valid : .expired
    }

    /// Whether a token belongs to a job. It may have ended.
    package func has(_ text: String, of job: String) -> Bool { token(text, of: job) != nil }

    private func token(_ text: String, of job: String) -> JobToken? {
        let hash = Secret.hash(text)
        // All are compared, whether one has matched or not.
        var found: JobToken?
        for token in tokens[job] ?? [] where Secret.isEqual(token.hash, hash) { found = token }
        return found
    }

    /// Renews a token that ends soon, because its client is connected.
    ///
    /// - Returns: The token with its new end, to be kept; nil if it is not renewed.
    package mutating func renew(_ text: String, of job: String, now: Int64) -> JobToken? {
        let hash = Secret.hash(text)
        guard var ofJob = tokens[job], let place = ofJob.firstIndex(where: { Secret.isEqual($0.hash, hash) }),
            now < ofJob[place].expiresAt, ofJob[place].expiresAt - now <= JobToken.renewal
        else { return nil }
        ofJob[place].expiresAt = now + JobToken.lifetime
        ofJob[place].renewedAt = now
        tokens[job] = ofJob
        return ofJob[place]
    }

    /// Forgets tokens that are of no use any more.
    ///
    /// - Parameter jobs: The jobs that are known. Their tokens stay for reading.
    package mutating func purge(keeping jobs: Set<String>, now: Int64) {
        tokens = tokens.filter { job, ofJob in
            jobs.contains(job) || ofJob.contains { now < $0.expiresAt + JobToken.grace }
        }
    }
}

extension JobToken {
    /// A new token of a job.
    init(_ secret: Secret, of job: String, now: Int64) {
        self.init(hash: Secret.hash(secret.text), job: job, expiresAt: now + Self.lifetime)
    }
}
