import Contract
import Formats
import Jobs
import Store
import System

/// Accepting jobs: whatever route they come from, places and quotas are checked here.
extension JobRunner {
    /// Accepts a job. When it returns, the job and the hash of its token are on disk.
    ///
    /// - Parameters:
    ///   - owner: The owner of the server's token that it came with; nil without one.
    ///   - client: The address that it came from.
    ///   - key: Key of its request. If the request came before, its job is the answer, with another token.
    ///   - refuse: Why the owner gets no job now; nil if nothing speaks against it. Asked in the queue's transaction: a job
    ///     is refused, or on disk before an account is deleted with its jobs.
    /// - Returns: The job, and whether it is new.
    @discardableResult
    package func accept(
        _ options: ImportOptions, owner: String?, client: String, key: RequestKey? = nil,
        refusing refuse: @escaping @Sendable () -> JobRefusal? = { nil }
    ) async throws(JobRefusal) -> (job: AcceptedJob, isNew: Bool) {
        let (secret, now) = (Secret(), clock.epochMilliseconds())
        var options = options
        options.sender = ClientAddress.key(client)
        options.bytes = options.kind.hasUpload ? uploads.bytes(of: options.upload) : 0
        if options.kind == .files, options.bytes <= QueuedJob.smallUpload {
            options.records = uploads.lines(of: options.upload)
        }
        let token = JobToken(secret, of: options.job, now: now)
        let replaced = endOfWait(of: options.job)
        let addition: JobQueue.Addition
        do throws(ETLError) {
            addition = try await queue.add(
                options, owner: owner, token: token, key: key, replacing: replaced, now: now,
                refusing: { [options] in
                    refuse() ?? refusal(options.kind, owner: owner, client: client, bytes: options.bytes)
                }, registering: { begin($0, token, replacing: replaced?.id) })
        } catch {
            throw .failed(error)
        }
        let job: (name: String, isNew: Bool)
        switch addition {
        case .added: job = (options.job, true)
        case .repeated(let token):
            state.withLock { $0.tokens.add(token) }
            job = (token.job, false)
        case .asksOther: throw .refused(IdempotencyKey.belongsToOther(key?.text ?? ""), status: 409)
        case .refused(let refusal): throw refusal
        }
        readNext()
        runNext()
        return (
            AcceptedJob(
                jobId: job.name, token: secret.text, expiresAt: token.expiresAt,
                view: .standard(for: options.pipeline)),
            job.isNew
        )
    }

    /// A job is on disk, and may run. The caller runs the next one.
    ///
    /// - Parameters:
    ///   - token: Its new token; nil for one that was accepted before.
    ///   - replaced: The number of a job whose wait for services ends; nil for none.
    func begin(_ kept: QueuedJob, _ token: JobToken? = nil, replacing replaced: Int64? = nil) {
        hub.open(kept.options.job, log(of: kept))
        let now = clock.nanoseconds()
        state.withLock { state in
            if let token { state.tokens.add(token) }
            state.add(kept)
            if let replaced { state.schedule.endWait(of: replaced) }
            state.schedule.accept(kept, at: now)
        }
    }

    /// Why a user's next job is refused; nil if it is not. ``accept(_:owner:client:key:)`` asks this too; routes ask it
    /// before they receive a body or write something.
    ///
    /// - Parameter bytes: Size of its upload; 0 if that has not arrived.
    package func refusal(
        _ kind: ImportOptions.Kind, owner: String?, client: String, bytes: Int = 0
    ) -> JobRefusal? {
        // The server's own.
        guard kind != .refresh else { return nil }
        let (user, now) = (ClientAddress.user(owner, at: client), clock.epochMilliseconds())
        let (places, jobs) = state.withLock {
            ($0.schedule.refusal(of: user, Places(settings.waiting)), Array($0.jobs.values))
        }
        switch places {
        case .full:
            return .refused(.overloaded("Too many jobs wait.", retryAfterSeconds: 60), status: 503)
        case .ofClient(let limit):
            return .refused(
                .rateLimited(
                    retryAfterSeconds: 60, limit: limit, window: "at a time",
                    "Too many of your jobs wait. Try again when some of them are done."))
        case nil: break
        }
        // Decisions and answers of services that come late are no imports.
        guard kind.hasUpload else { return nil }
        let used = jobs.filter { $0.user == user && $0.options.kind.hasUpload }
        return settings.quotas.refusal(
            adding: bytes, to: used.map { .init(acceptedAt: $0.acceptedAt, bytes: $0.options.bytes) },
            now: now
        ).map { .refused($0) }
    }
}
