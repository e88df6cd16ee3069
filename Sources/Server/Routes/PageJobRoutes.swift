import Books
import Contract
import Jobs
import Queries
import Store
import System

/// The pages about one job.
enum PageJobRoutes {
    static let all: [Route] = [
        page(.get, "/page/jobs/{jobId}", "pageJob") { job, call, backend in
            .work(.readers) { show(job, call, backend) }
        },
        page(.get, "/page/jobs/{jobId}/results.json", "pageResults", answering: [.json(.any)]) {
            job, call, backend in
            ResultsReply.results(job, as: nil, call, backend)
        },
        page(.get, "/page/jobs/{jobId}/errors.csv", "pageErrors", answering: [.init("text/csv", .string)]) {
            job, call, backend in
            ResultsReply.errors(job, as: .csv, includesWarnings: false, call, backend)
        },
        page(
            .get, "/page/jobs/{jobId}/photos/{number}", "pagePhoto", limit: nil,
            answering: [.init("image/*", .formatted("binary"))]
        ) { job, call, backend in .work(.readers) { PageScanRoutes.photo(job, call, backend) } },
        page(.post, "/page/jobs/{jobId}/cancel", "pageCancel", body: .fields(limit: 4_096)) {
            job, call, backend in
            .work(.waiters) {
                await backend.jobs.cancel(job)
                return PageRoutes.seeOther("/page/jobs/\(job)")
            }
        },
        page(
            .post, "/page/jobs/{jobId}/corrections", "pageCorrections", limit: .imports, body: .form(correct),
            form: .form([.required("file", .formatted("binary"))])
        ) { _, call, backend in
            .answer(
                call.refusal(of: .corrections, backend).map { PageRoutes.failure($0, call) }
                    ?? Response(200, .bytes([])))
        },
        page(
            .get, "/page/jobs/{jobId}/matches", "pageMatches",
            taking: PageMatchRoutes.parameters
        ) { job, call, backend in
            .work(.readers) { PageMatchRoutes.show(job, call, backend) }
        },
        page(
            .post, "/page/jobs/{jobId}/matches", "pageDecisions",
            taking: PageMatchRoutes.parameters, body: .fields(limit: 64 << 10)
        ) { job, call, backend in
            .work(.writers) { await PageMatchRoutes.decide(job, call, backend) }
        },
    ]

    private static func page(
        _ method: RequestHead.Method, _ path: String, _ name: String, limit: RequestClass? = .page,
        taking parameters: [Operation.Parameter] = [], body: Route.Body = .none, form: Schema? = nil,
        answering content: [Operation.Content] = [.init("text/html", .string)],
        _ handle: @escaping @Sendable (_ job: String, Route.Call, Backend) -> Route.Step
    ) -> Route {
        PageRoutes.page(
            method, path, name, limit: limit, scope: nil, taking: parameters, body: body, form: form,
            answering: content,
            failing: [401, 409]
        ) { call, backend in
            let job = call.path["jobId"] ?? ""
            // Without tokens, whoever sees a job on a page may change it there.
            let changes = method == .post && call.access != .unrestricted
            guard JobName.isValid(job), JobRoutes.isAuthorized(call, job, backend, changes: changes) else {
                return .answer(
                    PageRoutes.failure(
                        "This browser may not see this import, or no longer.", status: 401, call))
            }
            return handle(job, call, backend)
        }
    }

    private static func show(_ job: String, _ call: Route.Call, _ backend: Backend) -> Response {
        do throws(ETLError) {
            guard let status = try backend.status(of: job) else {
                return PageRoutes.failure("This import is no longer known.", status: 404, call)
            }
            var (overview, scan) = (JobOverview?.none, ScanPanel?.none)
            if let store = try StoreFile.openIfStarted(backend.settings.store) {
                overview = try JobOverview(of: job, in: store, mostErrors: 100, mostBooks: 100)
                scan = try overview.flatMap { found throws(ETLError) in
                    try PageScanRoutes.panel(of: found.job, in: store, backend)
                }
            }
            var page = JobPage(
                name: job, status: status, sentence: backend.hub[job]?.sentence ?? "", overview: overview,
                edition: backend.jobs.recent(most: 1) { $0.options.job == job }.first?.options.edition,
                mayUndo: call.access.has(.import), viewer: call.viewer(backend))
            page.scan = scan
            return PageRoutes.html(page.document())
        } catch {
            return PageRoutes.failure(error, otherwise: error.message, status: 503, call)
        }
    }

    private static func correct(
        _ call: Route.Call, _ form: FormReceiver.Form, _ backend: Backend
    ) async -> Response {
        do throws(ImportRoutes.ImportRefusal) {
            let job = try await ImportRoutes.correction(call, form, backend)
            return PageRoutes.seeOther("/page/jobs/\(job.jobId)")
        } catch {
            if case .job(let refusal) = error { return PageRoutes.failure(refusal, call) }
            let answer = error.response(
                limit: backend.uploads.limit, now: backend.clock.epochMilliseconds())
            return PageRoutes.failure("The list cannot be imported.", status: answer.status, call)
        }
    }
}
