import Books
import Contract
import Jobs
import Syntax
import System

/// Looking up books: one, or a list as a job.
enum EnrichmentRoutes {
    private static let bodyBytes = 256 << 10

    static let all: [Route] = [single] + lists

    /// Looks up one book while the client waits.
    private static let single = Route(
        .post, "/api/v2/books/enrich",
        Operation(
            "enrichBook", "Look up one book, and wait for the answer.",
            .json(.success(.reference("EnrichedBook"), beside: EnrichedBook.describedFields))
        )
        .reading(.json(.reference("BarcodeRequest")))
        .taking(
            .header(
                "Idempotency-Key", .text(.key),
                "If it is not in the body. Requests with the same key get the same answer for 24 hours.")
        )
        .failing(404, 409, 502, 504),
        limit: .enrich, scope: .import, body: .json(limit: 8 << 10)
    ) { call, backend in
        switch BarcodeRequest.read(call.body, key: call.head["Idempotency-Key"]) {
        case .failure(let error):
            return .answer(Reply.failure(error, now: backend.clock.epochMilliseconds()))
        case .success(let request):
            if let header = call.head["Idempotency-Key"].map(IdempotencyKey.unquoted), header != request.key {
                return .answer(
                    Reply.failure(
                        .invalidRequest(
                            "idempotencyKey", value: request.key ?? "",
                            reason: "The header field Idempotency-Key has another key."),
                        status: 409, now: backend.clock.epochMilliseconds()))
            }
            guard let key = request.key else {
                return .work(.lookUps) { await find(request, call, backend) }
            }
            let id = RepeatedRequests.ID(owner: call.access.owner ?? "", key: key)
            return .later { reply in
                backend.repeats.answer(
                    id, of: call.user, asking: request.question,
                    making: { await find(request, call, backend) }
                ) { reply(response($0, to: id, now: backend.clock.epochMilliseconds())) }
            }
        }
    }

    private static func response(
        _ outcome: RepeatedRequests.Outcome, to id: RepeatedRequests.ID, now: Int64
    ) -> Response {
        switch outcome {
        case .kept(let answer):
            Response(
                answer.status, .bytes(answer.body),
                fields: [("Content-Type", Reply.json), ("Cache-Control", "no-store")])
        case .made(let response): response
        case .asksOther:
            Reply.failure(
                IdempotencyKey.belongsToOther(id.key),
                status: 409, now: now)
        case .busy(let refusal): Reply.failure(refusal, now: now)
        case .failed(let failure): Reply.failure(failure, now: now)
        }
    }

    private static func find(_ request: BarcodeRequest, _ call: Route.Call, _ backend: Backend) async
        -> Response
    {
        let found = await backend.lookUps.find(request, in: call.access.library)
        let now = backend.clock.epochMilliseconds()
        switch found {
        case .failed(let failure): return Reply.failure(failure, now: now)
        case .refused(let error, let status): return Reply.failure(error, status: status, now: now)
        case .entry(let entry, _) where entry.isEmpty:
            return Reply.failure(
                .unknownBook(isbn: request.isbn.isbn13, searched: backend.lookUps.providers), now: now)
        case .entry(let entry, let isCached):
            // The published client of version 3.2 reads this answer without an envelope.
            var response = Reply.success(
                spliced: entry.data, repeatsFields: true,
                ResponseMetadata(
                    timestamp: now,
                    processingTime: Int64((backend.clock.nanoseconds() - call.began) / 1_000_000),
                    provider: entry.provider, isCached: isCached))
            response.add("Cache-Control", "no-store")
            return response
        }
    }

    private static let lists: [Route] = [
        ("/v1/enrichment/batch", "enrichBooks"), ("/api/batch-enrich", "enrichBooksAsBefore"),
    ].map { path, name in
        Route(
            .post, path,
            Operation(name, "Look up 1 to 100 books.")
                .answering(202, .json(.success(.reference("AcceptedJob"))))
                .reading(.json(.reference("RequestedBooks"))),
            limit: .batch, scope: .import, body: .json(limit: bodyBytes)
        ) { call, backend in
            .work(.writers) { await acceptLookUp(call, backend) }
        }
    }

    private static func acceptLookUp(_ call: Route.Call, _ backend: Backend) async -> Response {
        let now = backend.clock.epochMilliseconds()
        let request: RequestedBooks
        switch RequestedBooks.read(call.body) {
        case .failure(let error): return Reply.failure(error, now: now)
        case .success(let books): request = books
        }
        if let refusal = call.refusal(of: .books, backend) { return Reply.failure(refusal, now: now) }
        var files = UploadedFiles(JobName.make(), of: call.user, in: backend.uploads)
        do throws(UploadFolder.Refusal) {
            try files.keep(RequestedBook.table(request.books))
        } catch {
            files.discard()
            return FormReply.failure(.upload(error), limit: backend.uploads.limit, now: now)
        }
        let chosen = backend.claim(request.jobId)
        defer { if let chosen { backend.release(chosen) } }
        var options = ImportOptions(.books, job: chosen ?? files.name)
        options.upload = files.name
        options.files = files.paths
        options.names = ["books"]
        do throws(JobRefusal) {
            return ImportRoutes.accepted(try await call.accept(options, backend).job, call, now: now)
        } catch {
            files.discard()
            return Reply.failure(error, now: now)
        }
    }
}
