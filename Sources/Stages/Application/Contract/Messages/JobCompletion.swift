package import Books
import Syntax

/// The payload of `job_complete`: a summary that stays under 1 KB, never an array of books, which clients
/// fetch from `resultsUrl` (WEBSOCKET_V2_MIGRATION: five megabytes in a message froze their screens).
package struct JobCompletion: Sendable, Hashable {
    package var counts: JobCounts
    /// Milliseconds.
    package var duration: Int64
    /// When the results expire over HTTP, in milliseconds since 1970.
    package var expiresAt: Int64
    /// For `ai_scan`.
    package var scan: ScanTotals?

    package init(counts: JobCounts, duration: Int64, expiresAt: Int64, scan: ScanTotals? = nil) {
        self.counts = counts
        self.duration = duration
        self.expiresAt = expiresAt
        self.scan = scan
    }

    func writeFields(of message: JobMessage, into out: inout JSONWriter) {
        out.field("pipeline", message.pipeline)
        out.field("summary") { out in
            counts.writeTotals(into: &out)
            out.field("duration", duration)
            out.field("resourceId", ResultsView.resourceId(jobId: message.jobId))
            scan?.writeFields(into: &out)
        }
        out.field("expiresAt", Timestamp.withoutFraction(expiresAt))
        let view = ResultsView.standard(for: message.pipeline)
        out.field("resultsUrl", view.path(jobId: message.jobId))
    }
}
