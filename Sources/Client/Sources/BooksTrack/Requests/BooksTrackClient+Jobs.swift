public import Foundation

/// Known facts about jobs.
extension BooksTrackClient {
    /// Progress of a job.
    public func status(of job: Job) async throws(BooksTrackError) -> JobStatus {
        try Self.plain(try await send(request("GET", "/v1/jobs/\(job.id)", token: job.token)))
    }

    /// The results of an import, also partial ones of one that still runs.
    public func results(of job: Job) async throws(BooksTrackError) -> ImportResults {
        try await data(of: request("GET", "/api/v2/imports/\(job.id)/results", token: job.token))
    }

    /// The books that ``lookUp(_:)`` has found.
    public func foundBooks(of job: Job) async throws(BooksTrackError) -> [EnrichedBook] {
        struct Answer: Decodable { var enrichedBooks: [EnrichedBook]? }
        let answer: Answer = try await data(
            of: request("GET", "/v1/jobs/\(job.id)/results", token: job.token))
        return answer.enrichedBooks ?? []
    }

    /// The rejected rows under the columns of their file, as CSV, to be corrected.
    public func rejectedRows(of job: Job) async throws(BooksTrackError) -> Data {
        try await send(
            request("GET", "/v1/jobs/\(job.id)/errors", query: [("format", "csv")], token: job.token)
        ).body
    }

    /// Cancels a job. Canceling it again changes nothing.
    public func cancel(_ job: Job) async throws(BooksTrackError) {
        _ = try await send(request("DELETE", "/v1/jobs/\(job.id)", token: job.token))
    }

    /// A status, with or without an envelope.
    private static func plain(_ answer: TransportAnswer) throws(BooksTrackError) -> JobStatus {
        if let status = try? JSONDecoder.ofContract.decode(JobStatus.self, from: answer.body) {
            return status
        }
        return try success(answer).data
    }
}
