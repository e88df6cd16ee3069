import Books
package import Syntax

/// The answer to an order: where the job is watched, and with which token.
package struct AcceptedJob: Sendable, Hashable {
    package var jobId: String
    /// Whoever has it may watch and cancel the job.
    package var token: String
    /// When the token ends, in milliseconds since 1970.
    package var expiresAt: Int64
    package var view: ResultsView

    package init(jobId: String, token: String, expiresAt: Int64, view: ResultsView) {
        self.jobId = jobId
        self.token = token
        self.expiresAt = expiresAt
        self.view = view
    }

    /// The path of the job's status.
    package var statusPath: String { "/v1/jobs/\(jobId)" }
}

extension AcceptedJob: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("jobId", jobId)
            // Published clients spell it in two ways.
            out.field("token", token)
            out.field("authToken", token)
            out.field("expiresAt", Timestamp.withoutFraction(expiresAt))
            out.field("statusUrl", statusPath)
            out.field("streamUrl", "\(statusPath)/stream")
            out.field("websocketUrl", "/ws/progress?jobId=\(jobId)&token=\(token)")
            out.field("resultsUrl", view.path(jobId: jobId))
        }
    }
}

/// The answer to a cancellation.
package struct CanceledJob: Sendable, Hashable, JSONWritable {
    package var jobId: String

    package init(jobId: String) { self.jobId = jobId }

    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("jobId", jobId)
            out.field("status", JobState.canceled)
        }
    }
}

/// Books only, for clients that read nothing else.
package struct FlatBooks: Sendable, Hashable, JSONWritable {
    package var books: [BookDTO]

    package init(_ books: [BookDTO]) { self.books = books }

    package func write(into out: inout JSONWriter) {
        out.object { out in out.field("books", books) }
    }
}
