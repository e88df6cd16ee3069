public import Foundation

/// A photo of a shelf.
public struct ShelfPhoto: Sendable, Hashable {
    /// Its name, which the results show.
    public var name: String
    /// A JPEG, PNG, WebP or HEIC; at most 10 MB.
    public var bytes: Data

    /// A photo.
    public init(_ bytes: Data, named name: String) {
        self.name = name
        self.bytes = bytes
    }
}

/// Photos of shelves.
extension BooksTrackClient {
    /// Reads photos of shelves with the service's model and imports their books. The job runs whatever happens to this client
    /// afterwards; ``cancel(_:)`` ends it, and then nothing is imported.
    ///
    /// A photo that cannot be read does not stop the others. Only if none can be read, the job fails.
    ///
    /// - Parameters:
    ///   - photos: 1 to 5 photos; at most 50 MB together.
    ///   - library: Owner of the library; nil for the default.
    ///   - progress: Called with the share of the upload that has been sent, from 0 to 1.
    /// - Throws: `.service` with the code `invalidRequest` if there is no photo or there are too many, and with the status
    ///   503 if the service has no model.
    public func scan(
        _ photos: [ShelfPhoto], library: String? = nil, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(BooksTrackError) -> Job {
        let field = photos.count == 1 ? "photo" : "photos[]"
        let form = MultipartForm(
            photos.map { .init(field, $0.name, $0.bytes) }, fields: library.map { [("library", $0)] } ?? [])
        return try await upload(
            form, to: photos.count == 1 ? "/api/scan-bookshelf" : "/api/batch-scan", progress: progress)
    }

    /// The books that a scan has found, until 24 hours after its end.
    public func scanResults(of job: Job) async throws(BooksTrackError) -> ScanResults {
        try await data(of: request("GET", "/v1/scan/results/\(job.id)", token: job.token))
    }
}
