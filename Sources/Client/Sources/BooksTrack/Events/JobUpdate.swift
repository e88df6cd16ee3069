/// Action for a job.
public struct JobUpdate: Sendable, Hashable {
    /// The kinds of events.
    public enum Kind: String, Sendable, Hashable {
        /// The job began.
        case started
        /// It is further than before.
        case progress
        /// It is done.
        case completed
        /// It ended by an error.
        case failed
        /// It was canceled.
        case canceled

        /// Whether nothing follows.
        public var isFinal: Bool { self != .started && self != .progress }
    }

    /// The counts of a job that is done.
    public struct Summary: Codable, Sendable, Hashable {
        /// Records that were read.
        public var totalProcessed: Int
        /// Records that were stored, or already were.
        public var successCount: Int
        /// Rejected records.
        public var failureCount: Int
        /// Records that still wait for providers; nil if there are none.
        public var pending: Int?
    }

    /// The event.
    public var kind: Kind
    /// Progress of the job, from 0 to 1; nil if the event does not state it.
    public var progress: Double?
    /// One sentence to show to people; can be empty.
    public var text: String
    /// Records that are done; nil if the event does not state it.
    public var processedCount: Int?
    /// The counts of a job that is done.
    public var summary: Summary?
    /// Why a job failed. If it is retryable, the same import may succeed later.
    public var error: ServiceError?

    init(_ kind: Kind, progress: Double? = nil, text: String = "", processedCount: Int? = nil) {
        self.kind = kind
        self.progress = progress
        self.text = text
        self.processedCount = processedCount
    }

    /// The state of a job that was asked for.
    init(_ status: JobStatus) {
        self.init(
            Kind(status.status), progress: status.progress, processedCount: status.processedCount)
    }

    /// Content of a message about a job.
    init(_ kind: Kind, _ payload: JobMessage.Payload?) {
        self.init(
            kind, progress: payload?.progress ?? (kind == .completed ? 1 : nil),
            text: payload?.message ?? payload?.status ?? "", processedCount: payload?.processedCount)
        summary = payload?.summary
        if kind == .failed { error = payload.flatMap { ServiceError($0) } }
    }
}

extension JobUpdate.Kind {
    /// The kind of event that leads to a state.
    init(_ state: JobStatus.State) {
        self =
            switch state {
            case .initialized: .started
            case .processing: .progress
            case .completed: .completed
            case .failed: .failed
            case .canceled: .canceled
            }
    }
}
