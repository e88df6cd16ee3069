import Contract
import System

/// Watching a job over a WebSocket.
enum SocketRoutes {
    static let path = "/ws/progress"

    static let all: [Route] = [
        Route(
            .get, path,
            Operation("progress", "Watch a job over a WebSocket.")
                .answering(101)
                .taking(
                    .query("jobId", .string, isRequired: true, isChecked: false, "The job."),
                    .query("token", .string, "Its token, if it is not among Sec-WebSocket-Protocol."),
                    .query(
                        "reconnect", .boolean, isChecked: false, "Whether the connection was cut off before.")
                ).failing(426).leftOut(),
            limit: .stream, scope: nil
        ) { call, backend in .answer(answer(call, backend)) }
    ]

    private static func answer(_ call: Route.Call, _ backend: Backend) -> Response {
        let now = backend.clock.epochMilliseconds()
        switch Handshake.fields(for: call.head) {
        case .failure(let refused):
            var response = Reply.failure(
                .invalidRequest("Upgrade", value: "", reason: "This path is for WebSockets of version 13."),
                status: [.key, .body].contains(refused.refusal) ? 400 : 426, now: now)
            response.add("Upgrade", "websocket")
            response.add("Sec-WebSocket-Version", "13")
            return response
        case .success(let fields):
            let opening = opening(call, backend)
            let sockets = backend.sockets
            return Response(101, .upgrade { sockets.adopt($0, opening) }, fields: fields)
        }
    }

    /// Clients only see close codes, so a request that may not watch the job is answered too, and closed at once.
    private static func opening(_ call: Route.Call, _ backend: Backend) -> SocketLoop.Opening {
        let job = call.parameter("jobId") ?? ""
        let reconnects = call.parameter("reconnect") == "true"
        let isForeign =
            backend.settings.sites.origin(call.head["Origin"], host: call.site.host) == .refused
        let tokens = (call.parameter("token").map { [$0] } ?? []) + Handshake.tokens(call.head)
        let valid = tokens.first { backend.jobs.check($0, for: job, reconnects: reconnects) == .valid }
        let isKnown = backend.hub[job] != nil && valid != nil && backend.owners.mayRead(job)
        return SocketLoop.Opening(
            job: job, token: valid ?? "", reconnects: reconnects, base: call.site.base,
            refusal: isForeign || !isKnown ? .policyViolation : nil)
    }
}
