import Contract

/// One operation of the server: method, path, parameters and handler.
package struct Route: Sendable {
    /// A request that belongs to the route.
    package struct Call: Sendable {
        package let head: RequestHead
        /// The values of the path's parameters, by name.
        package let path: [String: String]
        /// The parameters of the query, in their order.
        package let query: [(name: String, value: String)]
        /// The client's address.
        package let client: String
        /// The server as the client sees it.
        package let site: RequestSite
        /// Identifies the request in answer and log.
        package let id: String
        /// The sender.
        package let access: ServerTokens.Access
        /// When it arrived, in nanoseconds of the monotonic clock.
        package let began: UInt64
        /// The body, if the route takes JSON.
        package var body: [UInt8] = []
        /// The fields of a form without files, in their order.
        package var fields: [(name: String, value: String)] = []
        /// Begins and ends sessions of browsers.
        package let authentication: Authentication
        /// Whether the client has left, so that work for it can end.
        package let isAbandoned: @Sendable () -> Bool

        /// The first value of a parameter; nil if there is none.
        package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

        /// The first value of a form's field; nil if there is none.
        package func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    /// Handler of a request.
    package enum Step: Sendable {
        case answer(Response)
        /// On a pool; a request that finds it full is answered with 503.
        case work(WorkPools.Name, @Sendable () async -> Response)
        /// By a call, on some thread.
        case later(@Sendable (@escaping @Sendable (Response) -> Void) -> Void)
    }

    /// Handling of a body.
    package enum Body: Sendable {
        /// There is none.
        case none
        /// JSON, with its maximum size in bytes.
        case json(limit: Int)
        /// A form without files, with its maximum size in bytes.
        case fields(limit: Int)
        /// A form with files.
        case form(@Sendable (Call, FormReceiver.Form, Backend) async -> Response)
    }

    /// Requests of a class of their own.
    package struct Exception: Sendable {
        var parameter: String
        var value: String
        var limit: RequestClass
    }

    package let method: RequestHead.Method
    /// The path with parameters in braces: `/v1/jobs/{jobId}`.
    package let path: String
    /// Method and path, as `/metrics` names it.
    package let label: String
    /// Description for the OpenAPI document.
    package var operation: Operation
    /// Class for the client's limits; nil if it is not limited.
    package var limit: RequestClass?
    /// Class of requests with a certain value of a parameter of the query; nil if there are none.
    package var exception: Exception?
    /// Scope of tokens that may use the route; nil for everybody.
    package var scope: ServerTokens.Scope?
    package var body = Body.none
    package var handle: @Sendable (Call, Backend) -> Step

    /// The path's parts; those in braces are parameters.
    package var segments: [Substring] { path.split(separator: "/", omittingEmptySubsequences: true) }

    package init(
        _ method: RequestHead.Method, _ path: String, _ operation: Operation, limit: RequestClass?,
        scope: ServerTokens.Scope?, body: Body = .none, _ handle: @escaping @Sendable (Call, Backend) -> Step
    ) {
        self.method = method
        self.path = path
        label = "\(method.rawValue) \(path)"
        self.operation = operation
        self.limit = limit
        self.scope = scope
        self.body = body
        self.handle = handle
    }
}

extension Route {
    /// The class of a request; nil if it is not limited.
    func limit(of head: RequestHead) -> RequestClass? {
        guard let exception,
            // A query that cannot be read is refused later.
            let parameters = try? head.parameters(),
            parameters.first(where: { $0.name == exception.parameter })?.value == exception.value
        else { return limit }
        return exception.limit
    }

    /// The same route, with an exception.
    func limiting(_ parameter: String, _ value: String, as limit: RequestClass) -> Route {
        var route = self
        route.exception = Exception(parameter: parameter, value: value, limit: limit)
        return route
    }
}

extension Route.Call {
    /// The sender, for turns, limits and quotas.
    var user: String { ClientAddress.user(access.owner, at: client) }

    /// Why the sender's next job is refused; nil if it is not.
    func refusal(of kind: ImportOptions.Kind, _ backend: Backend) -> JobRefusal? {
        backend.jobs.refusal(kind, owner: access.owner, client: client)
    }

    /// Accepts a job of the sender, who may have lost the right to it while the body arrived.
    func accept(
        _ options: ImportOptions, key: RequestKey? = nil, _ backend: Backend
    ) async throws(JobRefusal) -> (job: AcceptedJob, isNew: Bool) {
        var options = options
        options.confine(to: access.library)
        // A correction with a job's token counts for the job's owner.
        let owner = access.owner ?? backend.jobs.owner(of: options.job)
        return try await backend.jobs.accept(options, owner: owner, client: client, key: key) {
            backend.owners.refusal(ofJobOf: owner)
        }
    }
}
