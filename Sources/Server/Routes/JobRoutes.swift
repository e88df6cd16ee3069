import Contract
import Jobs
import Queries
import Store
import System

/// Watching jobs: status, events, results, errors, cancellation.
enum JobRoutes {
    static let all: [Route] =
        [("/v1/jobs/{jobId}", "jobStatus"), ("/api/v2/imports/{jobId}", "importStatus")].map { path, name in
            Route(
                .get, path,
                Operation(name, "The status of a job.", .json(.success(.reference("JobStatus")))).forJobs(),
                limit: .status, scope: nil
            ) { call, backend in
                authorized(call, backend) { job in .work(.readers) { status(job, backend) } }
            }
        }
        + [("/v1/jobs/{jobId}/stream", "jobStream"), ("/api/v2/imports/{jobId}/stream", "importStream")].map {
            path, name in
            Route(
                .get, path,
                Operation(
                    name, "The events of a job, until its last one; 204 if that was seen already.",
                    .init("text/event-stream", event)
                )
                .answering(204).taking(.header("Last-Event-ID", .string, "The last event that was seen."))
                .forJobs(),
                limit: .stream, scope: nil
            ) { call, backend in
                authorized(call, backend) { job in .answer(stream(job, call, backend)) }
            }
        }
        + ResultsView.allCases.map { view in
            Route(
                .get, view.path(jobId: "{jobId}"),
                Operation(
                    "\(view.rawValue)Results", "The results of a job.", .json(.success(schema(of: view)))
                ).forJobs().failing(409),
                limit: .results, scope: nil
            ) { call, backend in
                authorized(call, backend, view: view) { job in
                    ResultsReply.results(job, as: view, call, backend)
                }
            }
        } + [
            Route(
                .get, "/v1/jobs/{jobId}/errors",
                Operation(
                    "jobErrors", "The rejected rows of a job, as CSV ready to be corrected.",
                    .json(.array(.reference("ListedError"))), .init("application/x-ndjson", .string),
                    .init("text/csv", .string)
                )
                .taking(
                    .query(
                        "format", .names(ErrorList.Format.allCases.map(\.rawValue)), "json if it is absent."),
                    .query("warnings", .boolean, "Include warnings.")
                ).forJobs(),
                limit: .results, scope: nil
            ) { call, backend in
                authorized(call, backend) { job in
                    let format = call.parameter("format").flatMap { ErrorList.Format(rawValue: $0) }
                    return ResultsReply.errors(
                        job, as: format ?? .json, includesWarnings: call.parameter("warnings") == "true",
                        call,
                        backend)
                }
            },
            Route(
                .delete, "/v1/jobs/{jobId}",
                Operation(
                    "cancelJob", "Cancel a job. Canceling it again does nothing.",
                    .json(.success(.reference("CanceledJob")))
                ).forJobs(),
                limit: .cancel, scope: nil
            ) { call, backend in
                authorized(call, backend, changes: true) { job in
                    .work(.waiters) { await cancel(job, backend) }
                }
            },
        ]

    /// An event of a stream.
    private static let event = Schema.object([
        .optional("id", .string),
        .required(
            "event", .names(["started", "progress", "completed", "failed", "canceled", "reconnected"])),
        .required("data", .string), .optional("retry", .string),
    ])

    private static func schema(of view: ResultsView) -> Schema {
        switch view {
        case .imports, .csv: .reference("ImportResults")
        case .job: .reference("JobResults")
        case .scan: .reference("ScanResults")
        }
    }

    /// Continues if the request may see the job.
    ///
    /// - Parameters:
    ///   - changes: Whether the request changes the job.
    ///   - view: The view of its results that is asked for; nil for none.
    static func authorized(
        _ call: Route.Call, _ backend: Backend, changes: Bool = false, view: ResultsView? = nil,
        then: (String) -> Route.Step
    ) -> Route.Step {
        let now = backend.clock.epochMilliseconds()
        let job = call.path["jobId"] ?? ""
        let unknown = Reply.failure(
            .noResults(jobId: job, of: view, hoursKept: backend.settings.jobs.hoursKept), now: now)
        guard JobName.isValid(job) else { return .answer(unknown) }
        if isAuthorized(call, job, backend, changes: changes) { return then(job) }
        // Its results have expired, or it never was.
        if backend.hub[job] == nil, !changes { return .answer(unknown) }
        var refusal = Reply.failure(.unauthorized(call.access.refusal?.sentence), now: now)
        refusal.add("WWW-Authenticate", "Bearer")
        return .answer(refusal)
    }

    /// Whether a request may see a job, or change it: with a token of the owner or an administrator, or with the job's own if
    /// ``OwnerAccess`` lets it. On a server without tokens, the name of a job suffices to see it: it has 122 random
    /// bits.
    static func isAuthorized(
        _ call: Route.Call, _ job: String, _ backend: Backend, changes: Bool = false
    ) -> Bool {
        if let owner = call.access.owner, call.access.has(.admin) || backend.jobs.owner(of: job) == owner,
            !changes || call.access.has(.import)
        {
            return true
        }
        if let token = token(of: call, for: job),
            changes
                ? backend.jobs.check(token, for: job) == .valid && backend.owners.mayChange(job)
                : backend.jobs.knows(token, of: job) && backend.owners.mayRead(job)
        {
            return true
        }
        return !changes && !backend.settings.hasPrivateResults && call.access == .unrestricted
    }

    /// The job's token in a request: in its head, its query, or the cookie of a page.
    private static func token(of call: Route.Call, for job: String) -> String? {
        Credentials.bearer(call.head) ?? call.parameter("token")
            ?? Credentials.cookie(call.head, named: cookieName(of: job))
    }

    /// The name of the cookie with a job's token.
    static func cookieName(of job: String) -> String { "job_\(job)" }

    private static func metadata(_ backend: Backend) -> ResponseMetadata {
        ResponseMetadata(timestamp: backend.clock.epochMilliseconds())
    }

    private static func status(_ name: String, _ backend: Backend) -> Response {
        let now = backend.clock.epochMilliseconds()
        do throws(ETLError) {
            guard let status = try backend.status(of: name) else {
                return Reply.failure(
                    .noResults(jobId: name, hoursKept: backend.settings.jobs.hoursKept), now: now)
            }
            var response = Reply.success(status, metadata(backend))
            response.add("Cache-Control", "no-store")
            return response
        } catch {
            return Reply.failure(error, now: now)
        }
    }

    private static func stream(_ job: String, _ call: Route.Call, _ backend: Backend) -> Response {
        guard let log = backend.hub[job] else {
            return Reply.failure(
                .noResults(jobId: job, hoursKept: backend.settings.jobs.hoursKept),
                now: backend.clock.epochMilliseconds())
        }
        let seen = call.head["Last-Event-ID"].flatMap { Int64($0) } ?? 0
        if seen > 0, log.isOver(after: seen) { return Response(204, .bytes([])) }
        let feed = EventFeed(
            of: job, token: token(of: call, for: job),
            owner: call.access.owner ?? backend.jobs.owner(of: job), after: seen, at: call.site.base,
            hub: backend.hub, clock: backend.clock
        ) { [backend] feed in
            backend.feeds.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(feed)) }
        }
        backend.feeds.withLock { $0[ObjectIdentifier(feed)] = feed }
        return Response(
            200, .stream(feed),
            fields: [
                ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
                // Asks nginx not to hold events back.
                ("X-Accel-Buffering", "no"),
            ])
    }

    private static func cancel(_ job: String, _ backend: Backend) async -> Response {
        await backend.jobs.cancel(job)
        return Reply.success(CanceledJob(jobId: job), metadata(backend))
    }
}
