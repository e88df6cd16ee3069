import Application
import Pipeline
import Syntax

/// Ordering the look-up of books.
enum EnrichmentRoutes {
    /// The most books of one request; more can be uploaded as a file.
    private static let mostBooks = 100
    private static let bodyBytes = 256 << 10

    static let all: [Route] = [
        ("/v1/enrichment/batch", "enrichBooks"), ("/api/batch-enrich", "enrichBooksAsBefore"),
    ].map { path, name in
        Route(
            .post, path,
            Operation(name, "Look up 1 to 100 books.")
                .answering(202, .json(.success(.reference("AcceptedJob"))))
                .reading(.json(.reference("RequestedBooks"))),
            limit: .batch, scope: .import, body: .json(limit: bodyBytes)
        ) { call, backend in
            .work(.writers) { await order(call, backend) }
        }
    }

    private static func order(_ call: Route.Call, _ backend: Backend) async -> Response {
        let now = backend.clock.epochMilliseconds()
        let books: [RequestedBook]
        switch RequestedBook.list(call.body, most: mostBooks) {
        case .failure(let error): return Reply.failure(error, now: now)
        case .success(let list): books = list
        }
        guard !backend.jobs.isFull else {
            return Reply.failure(
                .overloaded("Too many jobs wait.", retryAfterSeconds: 60), status: 503, now: now)
        }
        var files = UploadedFiles(JobName.make(), in: backend.uploads)
        do throws(UploadFolder.Refusal) {
            try files.begin()
            try files.write(RequestedBook.table(books))
            try files.end()
            try files.keep()
        } catch {
            files.discard()
            return FormReply.failure(.upload(error), limit: backend.uploads.limit, now: now)
        }
        var order = ImportOrder(.books, job: files.name)
        order.upload = files.name
        order.files = files.paths
        order.names = ["books"]
        if let library = call.access.library { _ = order.set("library", library) }
        do throws(StageFailure) {
            return ImportRoutes.accepted(
                try await backend.jobs.accept(order, owner: call.access.name), now: now)
        } catch {
            files.discard()
            return Reply.failure(error, now: now)
        }
    }
}
