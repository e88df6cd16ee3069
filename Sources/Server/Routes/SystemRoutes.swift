import Contract
import Sources
import Store
import Syntax
import System

/// Routes for administrators and monitoring.
enum SystemRoutes {
    static let all: [Route] = [
        Route(
            .get, "/health",
            Operation("health", "Liveness check.", .json(.success(.reference("Health")))),
            limit: nil, scope: nil
        ) { _, backend in
            .answer(
                Reply.success(
                    ServerHealth(status: .ok, version: backend.settings.version),
                    ResponseMetadata(timestamp: backend.clock.epochMilliseconds())))
        },
        Route(
            .get, "/ready",
            Operation("ready", "Readiness check.", .json(.success(.reference("Health")))).failing(
                503),
            limit: nil, scope: nil
        ) { _, backend in .work(.readers) { ready(backend) } },
        Route(
            .get, "/openapi.json", Operation("openAPI", "This description.", .json(.any)), limit: nil,
            scope: nil
        ) { call, backend in
            let document = OpenAPIDocument(
                version: backend.settings.version, base: call.site.base,
                RouteList.documented.filter(\.operation.isOffered))
            return .answer(Response(200, .bytes(document.json), fields: [("Content-Type", Reply.json)]))
        },
        Route(
            .get, "/metrics", Operation("metrics", "Metrics for Prometheus.", .init("text/plain", .string)),
            limit: nil, scope: .admin
        ) { _, backend in
            .answer(
                Response(
                    200, text: MetricsText.of(backend.metrics, backend.gauges),
                    type: "text/plain; version=0.0.4; charset=utf-8"))
        },
    ]

    /// Whether store and catalogs can be read, and the store be written.
    private static func ready(_ backend: Backend) -> Response {
        let now = backend.clock.epochMilliseconds()
        do throws(ETLError) {
            _ = try StoreFile.openIfStarted(backend.settings.store)
            for path in backend.settings.catalogs { _ = try Catalog(path) }
            if let problem = backend.readiness.problem(backend.settings.readiness) {
                return Reply.failure(
                    .overloaded(problem, retryAfterSeconds: 10), status: 503, now: now)
            }
            return Reply.success(
                ServerHealth(status: .ok, version: backend.settings.version), ResponseMetadata(timestamp: now)
            )
        } catch {
            return Reply.failure(
                .overloaded("The store or a catalog cannot be read.", retryAfterSeconds: 10), status: 503,
                now: now)
        }
    }
}
