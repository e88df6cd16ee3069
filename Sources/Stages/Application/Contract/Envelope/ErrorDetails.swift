package import Books
package import Syntax

/// What a failure says beyond its sentence: a closed list, so that its keys stand in one place.
package enum ErrorDetails: Sendable, Hashable {
    /// The parameter and the value that were refused: `{"isbn":"123"}`.
    case refused(parameter: String, value: String)
    /// Nobody knows the book: `{"isbn":…,"providersSearched":[…]}`.
    case unknownBook(isbn: String, providersSearched: [Provider])
    /// The job's results are gone, or there never was such a job.
    case noResults(jobId: String, hoursKept: Int)
    /// The client's limit: so many requests in a window such as `1 minute`.
    case rateLimit(retryAfterSeconds: Int, limit: Int, window: String)
}

extension ErrorDetails: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            switch self {
            case .refused(let parameter, let value):
                out.key(parameter)
                out.string(value)
            case .unknownBook(let isbn, let providers):
                out.field("isbn", isbn)
                out.field("providersSearched", providers)
            case .noResults(let jobId, let hours):
                out.field("jobId", jobId)
                out.field("resultsKey", ResultsView.resourceId(jobId: jobId))
                out.field("ttl", "\(hours) hours")
            case .rateLimit(let seconds, let limit, let window):
                out.field("retryAfter", seconds)
                out.field("limit", limit)
                out.field("window", window)
            }
        }
    }
}
