package import Books
package import Syntax

/// A message about a job, over WebSocket, SSE or `--events` (contract.md section 7).
package struct JobMessage: Sendable, Hashable {
    package var jobId: String
    package var pipeline: JobPipeline
    /// Milliseconds since 1970.
    package var timestamp: Int64
    package var body: Body

    /// What it says.
    package enum Body: Sendable, Hashable {
        /// The items by the structural pre-count, and a guess of the milliseconds they will take.
        case started(totalItems: Int, estimatedDuration: Int64)
        /// How far it is: `sentence` tells it to people, `currentItem` names what is in hand.
        case progress(JobProgress, sentence: String, currentItem: String)
        case complete(JobCompletion)
        case failed(JobFailure)
        case readyAck
        /// Where the job stands, for a client that was away; `lastUpdate` in milliseconds since 1970.
        case reconnected(JobProgress, JobState, lastUpdate: Int64, sentence: String)
        case ping, pong

        package var type: MessageType {
            switch self {
            case .started: .jobStarted
            case .progress: .jobProgress
            case .complete: .jobComplete
            case .failed: .error
            case .readyAck: .readyAck
            case .reconnected: .reconnected
            case .ping: .ping
            case .pong: .pong
            }
        }
    }

    package init(jobId: String, pipeline: JobPipeline, timestamp: Int64, _ body: Body) {
        self.jobId = jobId
        self.pipeline = pipeline
        self.timestamp = timestamp
        self.body = body
    }
}

extension JobMessage: JSONWritable {
    package func write(into out: inout JSONWriter) {
        let envelope = MessageEnvelope(
            type: body.type, jobId: jobId, pipeline: pipeline, timestamp: timestamp)
        envelope.write(payload: "payload", into: &out) { out in
            switch body {
            case .started(let totalItems, let estimatedDuration):
                out.field("totalItems", totalItems)
                out.field("estimatedDuration", estimatedDuration)
            case .progress(let progress, let sentence, let currentItem):
                out.field("progress", progress.fraction)
                out.field("status", sentence)
                out.field("processedCount", progress.processedCount)
                out.field("currentItem", currentItem)
            case .complete(let completion):
                completion.writeFields(of: self, into: &out)
            case .failed(let failure):
                failure.writeFields(into: &out)
            case .readyAck:
                out.field("timestamp", timestamp)
            case .reconnected(let progress, let state, let lastUpdate, let sentence):
                out.field("progress", progress.fraction)
                out.field("status", state)
                out.field("processedCount", progress.processedCount)
                out.field("totalCount", progress.totalCount)
                out.field("lastUpdate", lastUpdate)
                out.field("message", sentence)
            case .ping, .pong:
                break
            }
        }
    }
}
