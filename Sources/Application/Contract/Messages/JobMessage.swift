package import Store
package import Syntax

/// A message about a job, sent over WebSocket, SSE or `--events`.
package struct JobMessage: Sendable, Hashable {
    package var jobId: String
    package var pipeline: JobPipeline
    /// Milliseconds since 1970.
    package var timestamp: Int64
    package var body: Body

    /// The content of a message, by type.
    package enum Body: Sendable, Hashable {
        /// The number of items, counted before they are read, and an estimate of the duration in
        /// milliseconds.
        case started(totalItems: Int, estimatedDuration: Int64)
        /// Progress of the job: `sentence` is for people, `currentItem` names the item being processed.
        case progress(JobProgress, sentence: String, currentItem: String)
        /// The last message of a run whose job can go on later: how far it is, why it ended, and when a service
        /// can be asked again, in milliseconds since 1970, if it waits for one.
        case paused(JobProgress, sentence: String, resumeAt: Int64?)
        case complete(JobCompletion)
        case failed(JobFailure)
        case readyAck
        /// The state of the job, for a client that reconnects; `lastUpdate` in milliseconds since 1970.
        case reconnected(JobProgress, JobState, lastUpdate: Int64, sentence: String)
        case ping, pong

        package var type: MessageType {
            switch self {
            case .started: .jobStarted
            case .progress, .paused: .jobProgress
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
            case .paused(let progress, let sentence, let resumeAt):
                out.field("progress", progress.fraction)
                out.field("status", sentence)
                out.field("processedCount", progress.processedCount)
                out.field("currentItem", "")
                out.field("resumeAt", resumeAt.map(Timestamp.withoutFraction))
            case .complete(let completion):
                completion.writeFields(of: self, into: &out)
            case .failed(let failure):
                failure.writeFields(into: &out)
            case .readyAck:
                out.field("timestamp", timestamp)
            case .reconnected(let progress, let state, let lastUpdate, let sentence):
                out.field("progress", state == .completed ? 1 : progress.fraction)
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

/// Every `type` of a message.
package enum MessageType: String, JSONWritable, Sendable, CaseIterable {
    case jobStarted = "job_started"
    case jobProgress = "job_progress"
    case jobComplete = "job_complete"
    case error
    /// From the client: it is ready for updates.
    case ready
    case readyAck = "ready_ack"
    case reconnected
    case batchInit = "batch-init"
    case batchProgress = "batch-progress"
    case batchComplete = "batch-complete"
    case batchCanceling = "batch-canceling"
    case ping, pong
    /// From the client: cancel the batch of photos.
    case cancelBatch = "cancel_batch"
}

/// The fields that all messages share.
struct MessageEnvelope {
    /// Version of the message format, not of the API.
    static let version = "1.0.0"

    let type: MessageType
    let jobId: String
    let pipeline: JobPipeline
    /// Milliseconds since 1970.
    let timestamp: Int64

    /// Writes the message. `fields` writes the payload's fields after its `type`.
    ///
    /// - Parameter payload: the payload's key; batches of photos use `data`.
    func write(
        payload: StaticString, into out: inout JSONWriter, fields: (inout JSONWriter) -> Void
    ) {
        out.object { out in
            out.field("type", type)
            out.field("jobId", jobId)
            out.field("pipeline", pipeline)
            out.field("timestamp", timestamp)
            out.field("version", Self.version)
            out.field(payload) { out in
                out.field("type", type)
                fields(&out)
            }
        }
    }
}

/// The payload of `job_complete`: a summary of less than 1 KB. It never holds books, because a message of
/// several megabytes froze clients' screens; clients fetch the books from `resultsUrl`.
package struct JobCompletion: Sendable, Hashable {
    package var counts: JobCounts
    /// Milliseconds.
    package var duration: Int64
    /// When the results expire over HTTP, in milliseconds since 1970.
    package var expiresAt: Int64
    /// Records that still wait for services.
    package var pending: Int
    /// Nil if the figures cannot be had.
    package var quality: QualityCounts?
    /// Only for `ai_scan`.
    package var scan: ScanTotals?

    package init(
        counts: JobCounts, duration: Int64, expiresAt: Int64, pending: Int = 0,
        quality: QualityCounts? = nil, scan: ScanTotals? = nil
    ) {
        self.counts = counts
        self.duration = duration
        self.expiresAt = expiresAt
        self.pending = pending
        self.quality = quality
        self.scan = scan
    }

    func writeFields(of message: JobMessage, into out: inout JSONWriter) {
        out.field("pipeline", message.pipeline)
        out.field("summary") { out in
            counts.totals(into: &out)
            out.field("duration", duration)
            out.field("resourceId", ResultsView.resourceId(jobId: message.jobId))
            if pending > 0 { out.field("pending", pending) }
            scan?.fields(into: &out)
        }
        out.field("expiresAt", Timestamp.withoutFraction(expiresAt))
        let view = ResultsView.standard(for: message.pipeline)
        out.field("resultsUrl", view.path(jobId: message.jobId))
        out.field("quality", quality.map { QualityReport($0) })
    }
}

/// The payload of an `error` message: the job failed, or was canceled.
package struct JobFailure: Sendable, Hashable {
    package var code: ErrorCode
    /// One sentence.
    package var message: String
    /// Physical line of the input that caused the failure, from 1, if there is one.
    package var lineNumber: Int?
    /// Whether the same request may succeed later. An input that is missing or cannot be used never does.
    package var isRetryable: Bool

    package init(_ code: ErrorCode, _ message: String, lineNumber: Int? = nil, isRetryable: Bool? = nil) {
        self.isRetryable = isRetryable ?? code.isRetryable
        self.code = code
        self.message = message
        self.lineNumber = lineNumber
    }

    /// Somebody has stopped the job. A client that tried it again would undo that.
    package static let canceled = JobFailure(.jobCanceled, "The job was canceled.")

    func writeFields(into out: inout JSONWriter) {
        out.field("code", code)
        out.field("message", message)
        out.field("retryable", isRetryable)
        out.field("details") { out in out.field("lineNumber", lineNumber) }
    }
}
