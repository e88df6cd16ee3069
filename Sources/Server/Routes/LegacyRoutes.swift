import Contract
import System

/// Paths of the first version, which are gone since March 2026. Old clients learn where to go.
enum LegacyRoutes {
    static let all: [Route] =
        ["/search/{what}"].flatMap { path in
            [.get, .post].map { (method: RequestHead.Method) in
                Route(
                    method, path,
                    Operation("search\(method == .get ? "" : "Posted")AsBefore", "Gone since March 2026.")
                        .answering(410, .json(.reference("Failure"))).leftOut(),
                    limit: .other, scope: nil
                ) { call, backend in
                    let known: Set = ["isbn", "title", "author", "advanced"]
                    let what = call.path["what"] ?? ""
                    return .answer(
                        gone("/v1/search/\(known.contains(what) ? what : "advanced")", call, backend))
                }
            }
        }
        + [
            Route(
                .post, "/api/enrichment/start",
                Operation("startEnrichmentAsBefore", "Gone since March 2026.")
                    .answering(410, .json(.reference("Failure"))).leftOut(),
                limit: .other, scope: nil
            ) { call, backend in
                .answer(gone("/v1/enrichment/batch", call, backend))
            }
        ]

    private static func gone(_ successor: String, _ call: Route.Call, _ backend: Backend) -> Response {
        let path = "\(call.site.base.text)\(successor)"
        var response = Reply.failure(
            .notFound("This path was removed on 1 March 2026. Use \(path)."),
            status: 410,
            now: backend.clock.epochMilliseconds())
        response.add("Deprecation", "true")
        response.add("Sunset", "Sun, 01 Mar 2026 00:00:00 GMT")
        response.add(
            "Warning", "299 - \"This endpoint was removed. Use \(path) instead. Sunset: March 1, 2026\"")
        response.add("Link", "<\(successor)>; rel=\"alternate\"")
        return response
    }
}
