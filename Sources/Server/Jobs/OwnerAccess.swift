import Contract

/// What the tokens of jobs allow: no more than the server's token with which the job was requested allows now. A job that
/// was requested without one, on a server without tokens, is not limited by this.
package struct OwnerAccess: Sendable {
    let jobs: JobRunner
    let authentication: Authentication

    /// Whether the token of a job may read it: until its owner's token is revoked.
    package func mayRead(_ job: String) -> Bool { access(to: job).keepsJobs }

    /// Whether the token of a job may change something: while its owner's token is valid, and may import.
    package func mayChange(_ job: String) -> Bool { access(to: job).has(.import) }

    /// Renews the token of a job that ends soon. Call it now and then while its client is connected.
    package func renew(_ token: String, of job: String) {
        if mayChange(job) { jobs.renew(token, of: job) }
    }

    /// Cancels a job for its token.
    package func cancel(_ job: String) async {
        if mayChange(job) { await jobs.cancel(job) }
    }

    /// Why an owner gets no job; nil if its token is valid, and may import.
    ///
    /// - Parameter owner: Nil without one, which is not limited.
    func refusal(ofJobOf owner: String?) -> JobRefusal? {
        let access = authentication.access(ofOwner: owner)
        return access.has(.import) ? nil : .refused(.unauthorized(access.refusal?.sentence))
    }

    private func access(to job: String) -> ServerTokens.Access {
        authentication.access(ofOwner: jobs.owner(of: job))
    }
}
