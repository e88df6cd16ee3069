import Contract
import Queries
import Store
import Syntax
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
        let (now, key) = (backend.clock.epochMilliseconds(), ResultsCache.Key(job, as: view))
        // Before the store is read: a change meanwhile makes another version.
        let version = backend.watch.look()
        if let kept = backend.results.withLock({ $0.entry(key, version: version, now: now) }) {
            return response(kept, isKept: true, call, backend)
        }
        do throws(ETLError) {
            guard let store = try StoreFile.openIfStarted(backend.settings.store),
                let stored = try JobTable(store).job(named: job), stored.undoneBy == nil
            else {
                return Reply.failure(.noResults(jobId: job, of: view, hoursKept: hours), now: now)
            }
            let expiresAt = stored.endedAt.map { $0 + Int64(hours) * 3_600_000 }
            guard expiresAt.map({ now < $0 }) ?? true else {
                return Reply.failure(.noResults(jobId: job, of: view, hoursKept: hours), now: now)
            }
            let spool = ResponseSpool(backend.uploads, for: call.user, isAbandoned: call.isAbandoned)
            let results = JobResults(store, clock: backend.clock, hoursKept: hours) { job throws(ETLError) in
                try backend.quality(of: job, in: store)
            }
            var out = JSONWriter()
            Envelope.beginSuccess(into: &out)
            let start = out.bytes.count
            try out.flush(to: spool.write, isEnd: true)
            let metadata: ResponseMetadata
            switch try results.writeData(of: job, as: view, to: spool.write) {
            // The view is one that jobs have, but not this one.
            case .failure(let error):
                return Reply.failure(error, status: error.code == .invalidRequest ? 409 : nil, now: now)
            case .success(let made): metadata = made
            }
            var entry = ResultsCache.Entry(
                data: [], metadata: metadata, expiresAt: expiresAt, isFinal: stored.isFinal)
            if let data = spool.written(from: start) {
                entry.data = data
                backend.results.withLock { [entry] in $0.keep(entry, for: key, version: version) }
                return response(entry, isKept: false, call, backend)
            }
            out.spliced(json: UnsafeRawBufferPointer(start: nil, count: 0))
            Envelope.endSuccess(metadata, into: &out)
            try out.flush(to: spool.write, isEnd: true)
            return try spool.response(200, type: Reply.json, fields: fields(entry, isKept: false, now: now))
        } catch {
            return Reply.failure(error, now: backend.clock.epochMilliseconds())
        }
    }

    private static func response(
        _ entry: ResultsCache.Entry, isKept: Bool, _ call: Route.Call, _ backend: Backend
    ) -> Response {
        let now = backend.clock.epochMilliseconds()
        var metadata = entry.metadata
        metadata.timestamp = now
        metadata.processingTime = Int64((backend.clock.nanoseconds() - call.began) / 1_000_000)
        var response = Reply.success(spliced: entry.data, metadata)
        for (name, value) in fields(entry, isKept: isKept, now: now) { response.add(name, value) }
        return response
    }

    /// How long clients may keep results: an hour, but not those that change when rows are corrected or services answer.
    private static func fields(
        _ entry: ResultsCache.Entry, isKept: Bool, now: Int64
    ) -> [(String, String)] {
        let seconds = min(3_600, max(0, ((entry.expiresAt ?? now) - now) / 1_000))
        return [
            ("X-Cache", isKept ? "HIT" : "MISS"),
            ("Cache-Control", entry.isFinal ? "private, max-age=\(seconds)" : "no-store"),
        ]
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
            let spool = ResponseSpool(backend.uploads, for: call.user, isAbandoned: call.isAbandoned)
            try ErrorList(store).write(of: job, as: format, includesWarnings: includesWarnings) {
                (bytes) throws(ETLError) in try spool.write(bytes)
            }
            switch format {
            case .json: return try spool.response(200, type: Reply.json)
            case .ndjson: return try spool.response(200, type: "application/x-ndjson; charset=utf-8")
            case .csv:
                var response = try spool.response(200, type: "text/csv; charset=utf-8")
                response.add("Content-Disposition", "attachment; filename=\"errors-\(job).csv\"")
                return response
            }
        } catch {
            return Reply.failure(error, now: backend.clock.epochMilliseconds())
        }
    }
}

extension Job {
    /// Whether its results change only if somebody changes its books.
    fileprivate var isFinal: Bool { status == .completed && pending == 0 && counts.rejected == 0 }
}
