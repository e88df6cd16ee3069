import Contract
import Jobs
import System

/// Receives all requests: checks who sends what, finds the route, and completes its answer.
package final class Middleware: RequestHandler {
    /// Maximum size of path and query in bytes.
    private static let pathBytes = 8_192
    /// Paths that answer at the root too, because those who watch the server do not come through its proxy.
    private static let pathsAtRoot: Set = ["/health", "/ready"]

    private let backend: Backend
    private let router: Router
    private var authentication: Authentication { backend.authentication }

    package init(_ routes: [Route], _ backend: Backend) {
        router = Router(routes)
        self.backend = backend
    }

    private var now: Int64 { backend.clock.epochMilliseconds() }

    package var whenStopping: Response {
        var response = Reply.failure(
            .overloaded("The server stops.", retryAfterSeconds: 5), status: 503, now: now)
        response.closes = true
        return response
    }

    package func refusal(of head: HeadFault) -> Response {
        let (reason, status) =
            switch head {
            case .malformed: ("The Content-Length is not a number.", 400)
            case .tooLarge: ("The head of the request is too large.", 431)
            }
        return Reply.failure(
            .invalidRequest("request", value: "", reason: reason), status: status, now: now)
    }

    package func begin(_ exchange: Exchange) -> (any BodyReceiver)? {
        var head = exchange.head
        let isOurs = head.enter(backend.settings.base) || Self.pathsAtRoot.contains(head.path)
        let answer = Answer(exchange, head, backend)
        exchange.note = answer
        if let refusal = RequestFraming.refusal(head) {
            return answer.refuse(
                .invalidRequest("request", value: "", reason: refusal), status: 400, closes: true)
        }
        let host = answer.site.host
        guard backend.settings.sites.isOurs(host: host) else {
            let reason = "This server does not have this name. Its administrator can add it."
            return answer.refuse(.invalidRequest("Host", value: host, reason: reason), status: 421)
        }
        let path = head.path
        guard path.utf8.count <= Self.pathBytes else {
            return answer.refuse(
                .invalidRequest("path", value: "", reason: "The path is too long."), status: 414)
        }
        switch backend.settings.sites.origin(head["Origin"], host: host) {
        case .own: break
        case .allowed(let origin): answer.allow(origin)
        // A page of another site learns from the close code why it may not watch.
        case .refused where path == SocketRoutes.path: break
        case .refused:
            answer.add("X-Custom-Error", "CORS_BLOCKED")
            return answer.refuse(
                .invalidRequest(
                    "Origin", value: head["Origin"] ?? "",
                    reason: "This site may not use the server."),
                status: 403)
        }
        do throws(EscapedText.Malformed) {
            return try dispatch(isOurs ? head : nil, exchange, answer)
        } catch {
            return answer.refuse(
                .invalidRequest("path", value: "", reason: "The path or query is not escaped UTF-8."),
                status: 400)
        }
    }

    /// - Parameter head: Nil for a path outside the server's own.
    private func dispatch(
        _ head: RequestHead?, _ exchange: Exchange, _ answer: Answer
    ) throws(EscapedText.Malformed) -> (any BodyReceiver)? {
        let access = authentication.access(exchange.head)
        guard let head else {
            guard isAdmitted(access, .other, answer) else { return nil }
            return answer.refuse(.notFound("There is nothing at this path."))
        }
        let match = try router.match(head.method, path: head.path) { () throws(EscapedText.Malformed) in
            try head.segments()
        }
        switch match {
        case .none:
            // Guesses are limited too.
            guard isAdmitted(access, .other, answer) else { return nil }
            return answer.refuse(.notFound("There is nothing at this path."))
        case .otherMethods(let methods):
            let allowed = Set(
                methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : []) + ["OPTIONS"])
            answer.add("Allow", allowed.sorted().joined(separator: ", "))
            if head.method == .options {
                answer.give(Response(204, .bytes([])))
                return nil
            }
            return answer.refuse(
                .invalidRequest(
                    "method", value: head.method?.rawValue ?? "",
                    reason: "The path does not have this method."),
                status: 405)
        case .route(let route, let parameters):
            answer.found(route)
            if let kind = route.limit(of: head), !isAdmitted(access, kind, answer) { return nil }
            if let scope = route.scope, !access.has(scope) {
                if answer.isForBrowser {
                    answer.give(PageRoutes.seeOther("/page/sign-in"))
                    return nil
                }
                answer.add("WWW-Authenticate", "Bearer")
                return answer.refuse(
                    .unauthorized(access.refusal?.sentence ?? "This request needs a token of the server."))
            }
            answer.note(access, job: parameters["jobId"])
            let call = Route.Call(
                head: head, path: parameters, query: try head.parameters(), client: answer.client,
                site: answer.site,
                id: answer.id,
                access: access, began: exchange.began,
                authentication: authentication,
                isAbandoned: { [exchange] in exchange.isAbandoned })
            let refusal = route.operation.refusal { parameter in
                parameter.place == .query ? call.parameter(parameter.name) : head.value(of: parameter.name)
            }
            if let refusal { return answer.refuse(refusal) }
            return handle(route, call, exchange, answer)
        }
    }

    private func isAdmitted(
        _ access: ServerTokens.Access, _ kind: RequestClass, _ answer: Answer
    ) -> Bool {
        guard let decision = backend.admit(answer.client, owner: access.owner, kind) else { return true }
        answer.note(decision, now: now)
        guard !decision.isAdmitted else { return true }
        _ = answer.refuse(
            .rateLimited(
                retryAfterSeconds: decision.retrySeconds, limit: decision.limit, window: decision.window))
        return false
    }

    private func handle(
        _ route: Route, _ call: Route.Call, _ exchange: Exchange, _ answer: Answer
    ) -> (any BodyReceiver)? {
        switch route.body {
        case .none:
            perform(route.handle(call, backend), answer)
            return nil
        case .json(let limit):
            let type = call.head["Content-Type"]?.split(separator: ";").first?.lowercased().filter {
                $0 != " "
            }
            guard type == "application/json" else {
                return refuseType("application/json", sent: type, answer)
            }
            guard declaredLength(call.head) <= limit else {
                return answer.refuse(.payloadTooLarge(limitBytes: limit), closes: true)
            }
            return TextReceiver(limit: limit) { [self] bytes in
                guard let bytes else {
                    return answer.give(Reply.failure(.payloadTooLarge(limitBytes: limit), now: now))
                }
                var call = call
                call.body = bytes
                perform(route.handle(call, backend), answer)
            }
        case .fields(let limit):
            let type = call.head["Content-Type"]?.split(separator: ";").first?.lowercased().filter {
                $0 != " "
            }
            guard type == nil || type == "application/x-www-form-urlencoded" else {
                return refuseType("application/x-www-form-urlencoded", sent: type, answer)
            }
            guard declaredLength(call.head) <= limit else {
                return answer.refuse(.payloadTooLarge(limitBytes: limit), closes: true)
            }
            return TextReceiver(limit: limit) { [self] bytes in
                guard let fields = bytes.flatMap({ try? EscapedText.fields($0) }) else {
                    _ = answer.refuse(.invalidRequest("body", value: "", reason: "The body is not a form."))
                    return
                }
                var call = call
                call.fields = fields
                perform(route.handle(call, backend), answer)
            }
        case .form(let complete):
            return receiveForm(complete, route, call, exchange, answer)
        }
    }

    private func refuseType(_ type: String, sent: String?, _ answer: Answer) -> (any BodyReceiver)? {
        answer.add("Accept-Post", type)
        return answer.refuse(
            .invalidRequest("Content-Type", value: sent ?? "", reason: "The body must be \(type)."),
            status: 415, closes: true)
    }

    private func declaredLength(_ head: RequestHead) -> Int {
        head["Content-Length"].map { Int($0) ?? .max } ?? 0
    }

    private func receiveForm(
        _ complete: @escaping @Sendable (Route.Call, FormReceiver.Form, Backend) async -> Response,
        _ route: Route, _ call: Route.Call, _ exchange: Exchange, _ answer: Answer
    ) -> (any BodyReceiver)? {
        // A route may refuse before the body is read.
        if case .answer(let early) = route.handle(call, backend), early.status >= 400 {
            var early = early
            early.closes = true
            answer.give(early)
            return nil
        }
        let type = call.head["Content-Type"] ?? ""
        guard MultipartParser.isForm(type) else {
            return refuseType("multipart/form-data", sent: type, answer)
        }
        let limit = backend.uploads.limit
        // The form around the file is small.
        guard declaredLength(call.head) <= limit + 256 << 10 else {
            return answer.refuse(.payloadTooLarge(limitBytes: limit), closes: true)
        }
        do throws(MultipartParser.Failure) {
            let parser = try MultipartParser(contentType: type)
            let files = UploadedFiles(JobName.make(), of: answer.user, in: backend.uploads)
            return FormReceiver(
                exchange, parser, into: files, on: backend.pools.writers, of: answer.user
            ) { [backend] form in
                answer.give(await complete(call, form, backend))
            } refuse: { [self] refusal in
                answer.give(FormReply.failure(refusal, limit: limit, now: now))
            }
        } catch {
            return answer.refuse(
                .invalidRequest("Content-Type", value: type, reason: error.rawValue), status: 400,
                closes: true)
        }
    }

    private func perform(_ step: Route.Step, _ answer: Answer) {
        switch step {
        case .answer(let response): answer.give(response)
        case .later(let ask): ask { answer.give($0) }
        case .work(let pool, let work):
            let refusal = backend.pools[pool].submit(of: answer.user) { _ in
                answer.give(answer.isAbandoned ? Answer.abandoned : await work())
            }
            if let refusal { answer.give(Reply.failure(refusal, now: now)) }
        }
    }

    package func end(_ exchange: Exchange, status: Int?, isComplete: Bool) {
        guard let answer = exchange.note as? Answer else { return }
        let route = answer.route
        let nanoseconds = backend.clock.nanoseconds() - exchange.began
        backend.metrics.note(
            route: route?.label, status: status, nanoseconds: nanoseconds)
        guard let log = backend.settings.log else { return }
        let head = exchange.head
        log.add(
            AccessLog.Line(
                time: now, id: answer.id, trace: TraceContext.trace(head["traceparent"]),
                client: answer.client,
                method: head.method?.rawValue ?? "other",
                path: route?.path ?? String(head.path.prefix(200)), job: answer.job, status: status,
                microseconds: nanoseconds / 1_000,
                version: head["X-Client-Version"].map { String($0.prefix(64)) },
                token: answer.token))
    }
}
