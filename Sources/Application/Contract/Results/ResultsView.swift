package import Store

/// The shapes of a job's results.
package enum ResultsView: String, Sendable, CaseIterable {
    case csv, job, scan
    case imports = "import"

    /// The default view for jobs of a pipeline.
    package static func standard(for pipeline: JobPipeline) -> ResultsView {
        switch pipeline {
        case .csvImport: .imports
        case .batchEnrichment: .job
        case .aiScan: .scan
        }
    }

    /// Whether the view can show the results of a pipeline; if not, the response is `INVALID_REQUEST`.
    package func fits(_ pipeline: JobPipeline) -> Bool {
        switch self {
        case .csv, .imports: pipeline == .csvImport
        case .scan: pipeline == .aiScan
        case .job: true
        }
    }

    /// The path of the view on an API server.
    package func path(jobId: String) -> String {
        switch self {
        case .csv: "/v1/csv/results/\(jobId)"
        case .job: "/v1/jobs/\(jobId)/results"
        case .scan: "/v1/scan/results/\(jobId)"
        case .imports: "/api/v2/imports/\(jobId)/results"
        }
    }

    /// The name of a job's results in this view.
    package func key(jobId: String) -> String { "\(rawValue)-results:\(jobId)" }

    /// The name of a job's results in messages and summaries, for all views.
    package static func resourceId(jobId: String) -> String { ResultsView.job.key(jobId: jobId) }
}
