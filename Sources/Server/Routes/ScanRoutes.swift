import Contract
import System

/// Reading photos of shelves, which this server does not do.
enum ScanRoutes {
    static let all: [Route] = [
        ("/api/batch-scan", "scanPhotos"), ("/api/scan-bookshelf", "scanPhoto"),
        ("/api/scan-bookshelf/batch", "scanPhotosAsBefore"),
    ].map { path, name in
        Route(
            .post, path,
            Operation(name, "Read photos of shelves. Not configured on this server.")
                .answering(202, .json(.success(.reference("AcceptedJob")))).leftOut(),
            limit: .scan, scope: .import
        ) { _, backend in
            var response = Reply.failure(
                .scanUnavailable(), status: 503, now: backend.clock.epochMilliseconds())
            // The photos are not read.
            response.closes = true
            return .answer(response)
        }
    }
}
