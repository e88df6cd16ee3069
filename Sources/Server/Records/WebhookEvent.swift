package import Contract
package import Store
package import Syntax

/// The message that a webhook receives when a job has ended.
package struct WebhookEvent: Sendable, Hashable {
    /// Identifies the message, in all attempts.
    package var id: String
    package var status: JobState
    /// The job's last message, as streams have it.
    package var message: JobMessage

    package init(id: String, status: JobState, message: JobMessage) {
        self.id = id
        self.status = status
        self.message = message
    }

    /// `job.completed`, `job.failed` or `job.canceled`.
    package var name: String { "job.\(status.rawValue)" }
}

extension WebhookEvent: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("id", id)
            out.field("event", name)
            out.field("jobId", message.jobId)
            out.field("status", status)
            out.field("summary") { out in
                switch message.body {
                case .complete(let completion):
                    completion.counts.totals(into: &out)
                    out.field("pending", completion.pending)
                    out.field("duration", completion.duration)
                case .failed(let failure):
                    out.field("code", failure.code)
                    out.field("message", failure.message)
                default: break
                }
            }
            out.field("resultsUrl", ResultsView.standard(for: message.pipeline).path(jobId: message.jobId))
            out.field("timestamp", Timestamp.withoutFraction(message.timestamp))
        }
    }
}
