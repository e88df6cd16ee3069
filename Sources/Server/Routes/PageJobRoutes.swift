import Books
import Contract
import Database
import Jobs
import Queries
import Store
import System

/// The pages about one job.
enum PageJobRoutes {
    /// Maximum number of matches on a page. They are saved together, as one job.
    private static let mostReviews = 100

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
            taking: [
                .query(
                    "best", .whole(50...100),
                    "The best book of each match is chosen if it is at least so many percent alike.")
            ]
        ) { job, call, backend in
            .work(.readers) { showMatches(job, call, backend) }
        },
        page(.post, "/page/jobs/{jobId}/matches", "pageDecisions", body: .fields(limit: 64 << 10)) {
            job, call, backend in .work(.writers) { await decide(job, call, backend) }
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
            var overview: JobOverview?
            if let store = try StoreFile.openIfStarted(backend.settings.store) {
                overview = try JobOverview(of: job, in: store, mostErrors: 100, mostBooks: 100)
            }
            let page = JobPage(
                name: job, status: status, sentence: backend.hub[job]?.sentence ?? "", overview: overview,
                mayUndo: call.access.has(.import), viewer: call.viewer(backend))
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

    // MARK: Matches

    private static func showMatches(_ job: String, _ call: Route.Call, _ backend: Backend) -> Response {
        do throws(ETLError) {
            let list = try ReviewList(StoreFile.openForReading(backend.settings.store), of: job)
            var (reviews, more) = ([Review](), 0)
            try list.each { review in
                guard review.decision == nil else { return }
                if reviews.count < mostReviews { reviews.append(review) } else { more += 1 }
            }
            let page = MatchesPage(
                job: list.job, reviews: reviews, more: more,
                leastScore: call.parameter("best").flatMap { Double($0) }.map { $0 / 100 },
                viewer: call.viewer(backend))
            return PageRoutes.html(page.document())
        } catch {
            return PageRoutes.failure(error, otherwise: "This import is not known.", status: 404, call)
        }
    }

    /// Keeps the decisions of the form, and accepts a job that applies them.
    private static func decide(_ job: String, _ call: Route.Call, _ backend: Backend) async -> Response {
        guard !backend.jobs.isActive(job) else {
            return PageRoutes.failure("The import is not done yet.", status: 409, call)
        }
        do throws(ETLError) {
            let store = backend.settings.store
            let list = try ReviewList(StoreFile.openForReading(store), of: job)
            var decisions: [ReviewDecision] = []
            try list.each { review in
                let chosen = call.value("row \(ReviewList.place(review.place, of: list.job))")
                if chosen == "none" {
                    decisions.append(ReviewDecision(review, .refused))
                } else if let option = review.options.first(where: { "\($0.provider)/\($0.record)" == chosen }
                ),
                    let provider = Provider(contractName: option.provider)
                {
                    decisions.append(
                        ReviewDecision(
                            review, .accepted(ChosenRecord(provider: provider, record: option.record))))
                }
            }
            guard !decisions.isEmpty else { return PageRoutes.seeOther("/page/jobs/\(job)/matches") }
            if let refusal = call.refusal(of: .resume, backend) { return PageRoutes.failure(refusal, call) }
            try Reviews.keep(
                decisions, ofJob: list.job.id, in: store, now: backend.clock.epochMilliseconds())
        } catch {
            return PageRoutes.failure(error, call)
        }
        var options = ImportOptions(.resume, job: job)
        options.upload = JobName.make()
        do throws(JobRefusal) {
            return PageRoutes.seeJob(try await call.accept(options, backend).job, call)
        } catch {
            return PageRoutes.failure(error, call)
        }
    }
}
