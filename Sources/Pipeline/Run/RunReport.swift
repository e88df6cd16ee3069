/// How a run ended and what each stage did.
public struct RunReport: Sendable {
    /// The three ways a run ends.
    public enum Outcome: Sendable, Hashable {
        /// The input is at its end and everything is committed.
        case completed
        /// Stopped on request; what was read is committed, the run can be resumed.
        case stopped
        /// The world broke; what was committed stays, the run can be resumed.
        case failed(StageFailure)
    }

    /// How it ended.
    public var outcome: Outcome
    /// Records read by the source and committed by the sink in this run.
    public var recordsCommitted: Int
    /// Source, stages and sink, in the order of the flow.
    public var stages: [StageCounts]
    /// Nanoseconds from start to end.
    public var elapsed: UInt64

    /// How a run ended.
    package init(outcome: Outcome, recordsCommitted: Int, stages: [StageCounts], elapsed: UInt64) {
        self.outcome = outcome
        self.recordsCommitted = recordsCommitted
        self.stages = stages
        self.elapsed = elapsed
    }

    /// Notes what failed behind the run, unless it had failed already.
    package mutating func note(_ failure: StageFailure) {
        if case .failed = outcome { return }
        outcome = .failed(failure)
    }
}

/// What an observer of a run is told, from the tasks of the run: quickly done, please.
public enum RunEvent: Sendable {
    /// A batch is committed. Of the records turned away their numbers in the batch are told, from 0, rising, by the codes
    /// of the reasons.
    case committed(end: Position, recordsRead: Int, rejects: [String: [Int]])
    /// A stage failed for now and is tried again after a pause.
    case retrying(stage: String, failure: StageFailure, attempt: Int, pauseNanoseconds: UInt64)
}
