import Contract
import Queries
import Store
import System

/// Response that is read from the store while it is written: results and lists of errors.
enum ResultsReply {
    /// Maximum number of records of a job whose results are read at once.
    private static let shortCount = 2_000

    /// Reads on the pool for short work, or for a large job or one of an earlier process on that for long work.
    private static func read(
        _ job: String, _ backend: Backend, _ work: @escaping @Sendable () -> Response
    ) -> Route.Step {
        let isShort = backend.hub[job].map { $0.progress.totalCount <= shortCount } ?? false
        return .work(isShort ? .readers : .bulk, work)
    }

    /// - Parameter view: The shape of the results; nil for that of the job's pipeline.
    static func results(
        _ job: String, as view: ResultsView?, _ call: Route.Call, _ backend: Backend
    ) -> Route.Step {
        read(job, backend) { readResults(job, as: view, call, backend) }
    }

    static func errors(
        _ job: String, as format: ErrorList.Format, includesWarnings: Bool, _ call: Route.Call,
        _ backend: Backend
    ) -> Route.Step {
        read(job, backend) {
            readErrors(job, as: format, includesWarnings: includesWarnings, call, backend)
        }
    }

    private static func readResults(
        _ job: String, as view: ResultsView?, _ call: Route.Call, _ backend: Backend
    ) -> Response {
        let hours = backend.settings.jobs.hoursKept
        do throws(ETLError) {
            guard let store = try StoreFile.openIfStarted(backend.settings.store),
                let kept = try JobTable(store).job(named: job), kept.undoneBy == nil,
                kept.endedAt.map({ backend.clock.epochMilliseconds() < $0 + Int64(hours) * 3_600_000 })
                    ?? true
            else {
                return Reply.failure(
                    .noResults(jobId: job, of: view, hoursKept: hours), now: backend.clock.epochMilliseconds()
                )
            }
            let spool = ResponseSpool(backend.uploads, isAbandoned: call.isAbandoned)
            var refusal: ResponseError?
            refusal = try JobResults(store, clock: backend.clock, hoursKept: hours).write(job, as: view) {
                (bytes) throws(ETLError) in try spool.write(bytes)
            }
            // The view is one that jobs have, but not this one.
            let status = refusal?.code == .invalidRequest ? 409 : refusal?.code.httpStatus
            return spool.response(status ?? 200, type: Reply.json)
        } catch {
            return Reply.failure(error, now: backend.clock.epochMilliseconds())
        }
    }

    private static func readErrors(
        _ job: String, as format: ErrorList.Format, includesWarnings: Bool, _ call: Route.Call,
        _ backend: Backend
    ) -> Response {
        do throws(ETLError) {
            guard let store = try StoreFile.openIfStarted(backend.settings.store),
                let kept = try JobTable(store).job(named: job), kept.undoneBy == nil
            else {
                return Reply.failure(
                    .noResults(jobId: job, hoursKept: backend.settings.jobs.hoursKept),
                    now: backend.clock.epochMilliseconds())
            }
            let spool = ResponseSpool(backend.uploads, isAbandoned: call.isAbandoned)
            try ErrorList(store).write(of: job, as: format, includesWarnings: includesWarnings) {
                (bytes) throws(ETLError) in try spool.write(bytes)
            }
            switch format {
            case .json: return spool.response(200, type: Reply.json)
            case .ndjson: return spool.response(200, type: "application/x-ndjson; charset=utf-8")
            case .csv:
                var response = spool.response(200, type: "text/csv; charset=utf-8")
                response.add("Content-Disposition", "attachment; filename=\"errors-\(job).csv\"")
                return response
            }
        } catch {
            return Reply.failure(error, now: backend.clock.epochMilliseconds())
        }
    }
}
