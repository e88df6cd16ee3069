import Application
import Pipeline

/// Ordering imports.
enum ImportRoutes {
    /// The most files of one import.
    private static let mostFiles = 16
    /// The largest mapping file.
    private static let mappingBytes = 64 << 10

    static let all: [Route] =
        [
            ("/api/v2/imports", "importFile"), ("/api/import/csv-gemini", "importFileAsBefore"),
        ].map { path, name in
            Route(
                .post, path,
                Operation(name, "Import a library export.")
                    .answering(202, .json(.success(.reference("AcceptedJob"))))
                    .reading(.init("multipart/form-data", form)),
                limit: .imports, scope: .import, body: .form(order)
            ) { _, backend in
                .answer(
                    backend.jobs.isFull
                        ? Reply.failure(
                            .overloaded("Too many jobs wait.", retryAfterSeconds: 60), status: 503,
                            now: backend.clock.epochMilliseconds())
                        : Response(200, .bytes([])))
            }
        } + [corrections]

    /// A corrected list of a job's rejected rows, sent back.
    static let corrections = Route(
        .post, "/v1/jobs/{jobId}/corrections",
        Operation("correctJob", "Import a corrected list of a job's rejected rows.")
            .answering(202, .json(.success(.reference("AcceptedJob"))))
            .reading(.init("multipart/form-data", .object([.required("file", .formatted("binary"))])))
            .forJobs().failing(409),
        limit: .imports, scope: nil, body: .form(correct)
    ) { call, backend in
        JobRoutes.authorized(call, backend, needsToken: true) { job in
            .answer(
                backend.jobs.isActive(job)
                    ? Reply.failure(
                        .invalidRequest("jobId", value: job, reason: "The job is not done yet."), status: 409,
                        now: backend.clock.epochMilliseconds())
                    : Response(200, .bytes([])))
        }
    }

    static func correct(_ call: Route.Call, _ form: FormReceiver.Form, _ backend: Backend) async -> Response {
        var files = form.files
        let now = backend.clock.epochMilliseconds()
        do throws(OrderRefusal) {
            guard files.paths.count == 1, form.fields.isEmpty else {
                throw .request(.invalidRequest("file", value: "", reason: "The form must have one file."))
            }
            var order = ImportOrder(.corrections, job: call.path["jobId"] ?? "")
            order.upload = files.name
            order.files = files.paths
            order.names = form.fileNames.map(\.name)
            return accepted(try await accept(order, files, call, backend), now: now)
        } catch {
            files.discard()
            return error.response(limit: backend.uploads.limit, now: now)
        }
    }

    /// Keeps an order whose files have arrived.
    private static func accept(
        _ order: ImportOrder, _ files: UploadedFiles, _ call: Route.Call, _ backend: Backend
    ) async throws(OrderRefusal) -> AcceptedJob {
        do throws(UploadFolder.Refusal) { try files.keep() } catch { throw .upload(error) }
        do throws(StageFailure) {
            return try await backend.jobs.accept(order, owner: call.access.name)
        } catch {
            throw .failure(error)
        }
    }

    private static let form = Schema.object(
        [.required("file", .formatted("binary")), .optional("mapping", .string)]
            + ImportOrder.fields.map { .optional($0, .string) })

    private static func order(_ call: Route.Call, _ form: FormReceiver.Form, _ backend: Backend) async
        -> Response
    {
        var files = form.files
        let now = backend.clock.epochMilliseconds()
        do throws(OrderRefusal) {
            var order = ImportOrder(.files, job: form.files.name)
            try fill(&order, from: form, call)
            return accepted(try await accept(order, files, call, backend), now: now)
        } catch {
            files.discard()
            return error.response(limit: backend.uploads.limit, now: now)
        }
    }

    /// Why an order is refused.
    private enum OrderRefusal: Error {
        case request(ResponseError)
        case upload(UploadFolder.Refusal)
        case failure(StageFailure)

        func response(limit: Int, now: Int64) -> Response {
            switch self {
            case .request(let error): Reply.failure(error, now: now)
            case .upload(let refusal): FormReply.failure(.upload(refusal), limit: limit, now: now)
            case .failure(let failure): Reply.failure(failure, now: now)
            }
        }
    }

    private static func fill(
        _ order: inout ImportOrder, from form: FormReceiver.Form, _ call: Route.Call
    ) throws(OrderRefusal) {
        func refuse(_ field: String, _ reason: String) -> OrderRefusal {
            .request(.invalidRequest(field, value: "", reason: reason))
        }
        order.upload = form.files.name
        for ((field, name), path) in zip(form.fileNames, form.files.paths) {
            switch field {
            case "file", "files", "files[]":
                order.files.append(path)
                order.names.append(name)
            case "mapping": order.useMapping(file: path)
            default: throw refuse(field, "There is no such field with a file.")
            }
        }
        guard !order.files.isEmpty else { throw refuse("file", "The form has no file.") }
        guard order.files.count <= mostFiles else {
            throw refuse("file", "An import has at most \(mostFiles) files.")
        }
        for (field, value) in form.fields {
            if let refusal = order.set(field == "mapping" ? "map" : field, value) { throw .request(refusal) }
        }
        if let library = call.access.library { _ = order.set("library", library) }
    }

    /// The answer to an accepted order.
    static func accepted(_ job: AcceptedJob, now: Int64) -> Response {
        var response = Reply.success(job, status: 202, ResponseMetadata(timestamp: now))
        response.add("Location", job.statusPath)
        response.add("Cache-Control", "no-store")
        return response
    }
}
