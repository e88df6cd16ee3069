import Contract
import Jobs
import System

/// Reading photos of shelves.
enum ScanRoutes {
    /// The names of the form's field for photos in published clients.
    private static let fields = ["photos[]", "photos", "photo", "image", "file"]

    static let all: [Route] = [
        route("/api/batch-scan", "scanPhotos", isBatch: true),
        route("/api/scan-bookshelf", "scanPhoto", isBatch: false),
        route("/api/scan-bookshelf/batch", "scanPhotosAsBefore", isBatch: true),
    ]

    private static func route(_ path: String, _ name: String, isBatch: Bool) -> Route {
        let count = isBatch ? 1...ShelfPhoto.mostPhotos : 1...1
        return Route(
            .post, path,
            Operation(name, isBatch ? "Read up to five photos of shelves." : "Read a photo of a shelf.")
                .answering(202, .json(.success(.reference("AcceptedJob"))))
                .reading(
                    .init(
                        "multipart/form-data",
                        .form([
                            isBatch
                                ? .required(fields[0], .list(.formatted("binary"), count))
                                : .required("photo", .formatted("binary")),
                            .optional("library", .text(.library)),
                        ]))
                )
                .failing(503),
            limit: .scan, scope: .import,
            body: .form { call, form, backend in
                await accept(call, form, isBatch: isBatch, atMost: count.upperBound, backend)
            }
        ) { call, backend in
            let now = backend.clock.epochMilliseconds()
            guard backend.settings.jobs.scans != nil else {
                var response = Reply.failure(.scanUnavailable(), status: 503, now: now)
                // The photos are not received.
                response.closes = true
                return .answer(response)
            }
            if let refusal = call.refusal(of: .photos, backend) {
                return .answer(Reply.failure(refusal, now: now))
            }
            return .answer(Response(200, .bytes([])))
        }
    }

    private static func accept(
        _ call: Route.Call, _ form: FormReceiver.Form, isBatch: Bool, atMost most: Int, _ backend: Backend
    ) async -> Response {
        var files = form.files
        let now = backend.clock.epochMilliseconds()
        do throws(ImportRoutes.ImportRefusal) {
            let options = try options(form, isBatch: isBatch, atMost: most)
            do throws(UploadFolder.Refusal) { try files.keep() } catch { throw .upload(error) }
            do throws(JobRefusal) {
                var job = try await call.accept(options, backend).job
                job.totalPhotos = options.files.count
                return ImportRoutes.accepted(job, call, now: now)
            } catch {
                throw .job(error)
            }
        } catch {
            files.discard()
            return error.response(limit: backend.uploads.limit, now: now)
        }
    }

    /// The scan that a form asks for.
    static func options(
        _ form: FormReceiver.Form, isBatch: Bool, atMost most: Int
    ) throws(ImportRoutes.ImportRefusal) -> ImportOptions {
        var options = ImportOptions(.photos, job: form.files.name)
        options.upload = form.files.name
        options.isBatch = isBatch
        for ((field, name), path) in zip(form.fileNames, form.files.paths) {
            guard fields.contains(field) else {
                throw .request(
                    .invalidRequest(field, value: "", reason: "There is no such field with a photo."))
            }
            // A photo without a name is called by its number.
            options.names.append(name.isEmpty ? "photo \(options.names.count + 1)" : name)
            options.files.append(path)
        }
        guard 1...most ~= options.files.count else {
            throw .request(
                .invalidRequest(
                    isBatch ? fields[0] : "photo", value: "\(options.files.count)",
                    reason: most == 1 ? "Send one photo." : "Send 1 to \(most) photos."))
        }
        for path in options.files {
            guard (FileFacts(of: path)?.size ?? 0) <= ShelfPhoto.mostBytes else {
                throw .request(.payloadTooLarge(limitBytes: ShelfPhoto.mostBytes))
            }
        }
        for (field, value) in form.fields where field == "library" {
            if let refusal = options.set(field, value) { throw .request(refusal) }
        }
        return options
    }
}
