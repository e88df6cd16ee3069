package import Contract
import Store
import Syntax

/// The answer to a request for a job: where the job is watched, and with which token.
package struct AcceptedJob: Sendable, Hashable {
    package var jobId: String
    /// Its holder may watch and cancel the job.
    package var token: String
    /// When the token ends, in milliseconds since 1970.
    package var expiresAt: Int64
    package var view: ResultsView
    /// Number of photos of a scan; nil for another job.
    package var totalPhotos: Int?
    /// The path of the server, as the client spells it.
    package var base = BasePath.root

    package init(jobId: String, token: String, expiresAt: Int64, view: ResultsView) {
        self.jobId = jobId
        self.token = token
        self.expiresAt = expiresAt
        self.view = view
    }

    /// The path of the job's status below that of the server.
    package var statusPath: String { "/v1/jobs/\(jobId)" }
}

extension AcceptedJob: ContractRecord {
    package static var example: AcceptedJob {
        AcceptedJob(jobId: "", token: "", expiresAt: 0, view: .imports)
    }
    package static var schemaName: String? { "AcceptedJob" }

    package func fields(into table: inout some FieldTable) {
        table.field("jobId", jobId)
        // Published clients spell it in two ways.
        table.field("token", token)
        table.field("authToken", token)
        table.field("totalPhotos", totalPhotos)
        table.field("expiresAt", Moment(expiresAt))
        table.field("statusUrl", base.text + statusPath)
        table.field("streamUrl", "\(base.text)\(statusPath)/stream")
        table.field("websocketUrl", "\(base.text)/ws/progress?jobId=\(jobId)&token=\(token)")
        table.field("resultsUrl", base.text + view.path(jobId: jobId))
    }
}

/// The answer to a cancellation.
package struct CanceledJob: Sendable, Hashable {
    package var jobId: String

    package init(jobId: String) { self.jobId = jobId }

    private enum Status: String, Described, CaseIterable { case canceled }
}

extension CanceledJob: ContractRecord {
    package static var example: CanceledJob { CanceledJob(jobId: "") }
    package static var schemaName: String? { "CanceledJob" }

    package func fields(into table: inout some FieldTable) {
        table.field("jobId", jobId)
        table.field("status", Status.canceled)
    }
}

/// Books only, for clients that read nothing else.
package struct FlatBooks: Sendable, Hashable {
    package var books: [BookDTO]

    package init(_ books: [BookDTO]) { self.books = books }
}

extension FlatBooks: ContractRecord {
    package static var example: FlatBooks { FlatBooks([]) }
    package static var schemaName: String? { "Books" }

    package func fields(into table: inout some FieldTable) { table.field("books", books) }
}
