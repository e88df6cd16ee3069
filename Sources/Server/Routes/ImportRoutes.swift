import Contract
import System

/// Accepting imports.
enum ImportRoutes {
    /// Maximum number of files of one import.
    private static let mostFiles = 16

    private static let key = Operation.Parameter.header(
        "Idempotency-Key", .text(.key), "Requests with the same key have the same job for 24 hours.")

    static let all: [Route] =
        [
            ("/api/v2/imports", "importFile"), ("/api/import/csv-gemini", "importFileAsBefore"),
        ].map { path, name in
            Route(
                .post, path,
                Operation(name, "Import a library export.")
                    .answering(202, .json(.success(.reference("AcceptedJob"))))
                    .reading(.init("multipart/form-data", form))
                    .taking(key).failing(409),
                limit: .imports, scope: .import, body: .form(importFiles)
            ) { call, backend in early(.files, call, backend) }
        } + [corrections]

    /// A corrected list of a job's rejected rows, sent back.
    static let corrections = Route(
        .post, "/v1/jobs/{jobId}/corrections",
        Operation("correctJob", "Import a corrected list of a job's rejected rows.")
            .answering(202, .json(.success(.reference("AcceptedJob"))))
            .reading(.init("multipart/form-data", .form([.required("file", .formatted("binary"))])))
            .taking(key).forJobs().failing(409),
        limit: .imports, scope: nil, body: .form(correct)
    ) { call, backend in
        JobRoutes.authorized(call, backend, changes: true) { job in
            guard !backend.jobs.isActive(job) else {
                return .answer(
                    Reply.failure(
                        .invalidRequest("jobId", value: job, reason: "The job is not done yet."), status: 409,
                        now: backend.clock.epochMilliseconds()))
            }
            return early(.corrections, call, backend)
        }
    }

    /// Refuses a request before its body is received, if its job would be refused anyway.
    private static func early(
        _ kind: ImportOptions.Kind, _ call: Route.Call, _ backend: Backend
    ) -> Route.Step {
        // The job of a request with a key can be one that was accepted before.
        guard call.head["Idempotency-Key"] == nil, let refusal = call.refusal(of: kind, backend) else {
            return .answer(Response(200, .bytes([])))
        }
        return .answer(Reply.failure(refusal, now: backend.clock.epochMilliseconds()))
    }

    private static func correct(
        _ call: Route.Call, _ form: FormReceiver.Form, _ backend: Backend
    ) async -> Response {
        let now = backend.clock.epochMilliseconds()
        do throws(ImportRefusal) {
            return accepted(try await correction(call, form, backend), call, now: now)
        } catch {
            return error.response(limit: backend.uploads.limit, now: now)
        }
    }

    /// Accepts a corrected list.
    static func correction(
        _ call: Route.Call, _ form: FormReceiver.Form, _ backend: Backend
    ) async throws(ImportRefusal) -> AcceptedJob {
        var files = form.files
        do throws(ImportRefusal) {
            guard files.paths.count == 1, form.fields.isEmpty else {
                throw .request(.invalidRequest("file", value: "", reason: "The form must have one file."))
            }
            var options = ImportOptions(.corrections, job: call.path["jobId"] ?? "")
            options.upload = files.name
            options.files = files.paths
            options.names = form.fileNames.map(\.name)
            return try await accept(options, form, call, backend)
        } catch {
            files.discard()
            throw error
        }
    }

    /// Keeps a job whose files have arrived. If its request came before, the job of that one is the answer.
    private static func accept(
        _ options: ImportOptions, _ form: FormReceiver.Form, _ call: Route.Call, _ backend: Backend
    ) async throws(ImportRefusal) -> AcceptedJob {
        var (files, key) = (form.files, RequestKey?.none)
        let text = call.head["Idempotency-Key"].map(IdempotencyKey.unquoted)
        do throws(UploadFolder.Refusal) {
            try files.keep()
            if let text { key = RequestKey(text, asking: try question(form, call)) }
        } catch {
            throw .upload(error)
        }
        do throws(JobRefusal) {
            let found = try await call.accept(options, key: key, backend)
            if !found.isNew { files.discard() }
            return found.job
        } catch {
            throw .job(error)
        }
    }

    /// The content of a form as text: requests with one key must ask the same.
    private static func question(
        _ form: FormReceiver.Form, _ call: Route.Call
    ) throws(UploadFolder.Refusal) -> String {
        var digest = SHA256()
        let names = form.fields.map { [$0.name, $0.value] } + form.fileNames.map { [$0.field, $0.name] }
        // No text has a zero byte where the next one begins, so that different forms are different texts.
        for text in [[call.path["jobId"] ?? ""]] + names {
            digest.update(Array(text.joined(separator: "\0").utf8) + [0, 0])
        }
        try form.files.update(&digest)
        return "import \(digest.hexDigest)"
    }

    private static let form = Schema.form(
        [
            .required("file", .list(.formatted("binary"), 1...mostFiles)),
            .optional("mapping", .formatted("binary")),
        ]
            + ImportOptions.fields.map { .optional($0, ImportOptions.schema(of: $0)) })

    private static func importFiles(_ call: Route.Call, _ form: FormReceiver.Form, _ backend: Backend) async
        -> Response
    {
        var files = form.files
        let now = backend.clock.epochMilliseconds()
        do throws(ImportRefusal) {
            var options = ImportOptions(.files, job: form.files.name)
            try fill(&options, from: form, call)
            return accepted(try await accept(options, form, call, backend), call, now: now)
        } catch {
            files.discard()
            return error.response(limit: backend.uploads.limit, now: now)
        }
    }

    /// Why an import is refused.
    enum ImportRefusal: Error {
        case request(ResponseError)
        case upload(UploadFolder.Refusal)
        case job(JobRefusal)

        func response(limit: Int, now: Int64) -> Response {
            switch self {
            case .request(let error): Reply.failure(error, now: now)
            case .upload(let refusal): FormReply.failure(.upload(refusal), limit: limit, now: now)
            case .job(let refusal): Reply.failure(refusal, now: now)
            }
        }
    }

    private static func fill(
        _ options: inout ImportOptions, from form: FormReceiver.Form, _ call: Route.Call
    ) throws(ImportRefusal) {
        func refuse(_ field: String, _ reason: String) -> ImportRefusal {
            .request(.invalidRequest(field, value: "", reason: reason))
        }
        options.upload = form.files.name
        for ((field, name), path) in zip(form.fileNames, form.files.paths) {
            switch field {
            case "file", "files", "files[]":
                options.files.append(path)
                options.names.append(name)
            case "mapping": options.useMapping(file: path)
            default: throw refuse(field, "There is no such field with a file.")
            }
        }
        guard !options.files.isEmpty else { throw refuse("file", "The form has no file.") }
        guard options.files.count <= mostFiles else {
            throw refuse("file", "An import has at most \(mostFiles) files.")
        }
        for (field, value) in form.fields {
            if let refusal = options.set(field == "mapping" ? "map" : field, value) {
                throw .request(refusal)
            }
        }
    }

    /// The answer to an accepted job.
    static func accepted(_ job: AcceptedJob, _ call: Route.Call, now: Int64) -> Response {
        var job = job
        job.base = call.site.base
        var response = Reply.success(job, status: 202, ResponseMetadata(timestamp: now))
        response.add("Location", job.statusPath)
        response.add("Cache-Control", "no-store")
        return response
    }
}
