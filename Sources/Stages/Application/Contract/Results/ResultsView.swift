package import Books

/// The shapes in which a job's results can be had (contract.md section 7).
package enum ResultsView: String, Sendable, CaseIterable {
    case csv, job, scan
    case imports = "import"

    /// The view a job of this pipeline is read in unless another is asked for.
    package static func standard(for pipeline: JobPipeline) -> ResultsView {
        switch pipeline {
        case .csvImport: .imports
        case .batchEnrichment: .job
        case .aiScan: .scan
        }
    }

    /// Whether the view can show what the pipeline makes; one that cannot is `INVALID_REQUEST`.
    package func fits(_ pipeline: JobPipeline) -> Bool {
        switch self {
        case .csv, .imports: pipeline == .csvImport
        case .scan: pipeline == .aiScan
        case .job: true
        }
    }

    /// Where the server has it.
    package func path(jobId: String) -> String {
        switch self {
        case .csv: "/v1/csv/results/\(jobId)"
        case .job: "/v1/jobs/\(jobId)/results"
        case .scan: "/v1/scan/results/\(jobId)"
        case .imports: "/api/v2/imports/\(jobId)/results"
        }
    }

    /// The name messages and summaries give a job's results, whatever the view.
    package static func resourceId(jobId: String) -> String { "job-results:\(jobId)" }
}
