import Syntax

/// Every `type` a message may have (API contract v2.1 sections 7.2 and 7.6).
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
    /// From the client: stop the photos' batch.
    case cancelBatch = "cancel_batch"
}
