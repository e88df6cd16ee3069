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

/// What a stage did: the figures by which the bottleneck of a run is named.
public struct StageCounts: Sendable, Hashable {
    /// The step's name in the pipeline file.
    public var name: String
    /// Tasks that shared its batches.
    public var workers: Int
    /// Records that came in.
    public var recordsIn = 0
    /// Records handed on.
    public var recordsOut = 0
    /// Records turned away.
    public var rejected = 0
    /// Batches that came in, each counted once however often it was tried.
    public var batches = 0
    /// Attempts after a transient failure.
    public var retries = 0
    /// Time at work, summed over workers, in nanoseconds.
    public var busy: UInt64 = 0
    /// Time spent waiting for a batch.
    public var blockedOnInput: UInt64 = 0
    /// Time spent waiting for room downstream.
    public var blockedOnOutput: UInt64 = 0
    /// Most batches that ever waited before it.
    public var deepest = 0

    /// Counts of a step that has done nothing yet.
    public init(name: String, workers: Int = 1) {
        self.name = name
        self.workers = workers
    }

    /// Share of its time a stage was at work, 0–1: the one nearest to 1 holds up the rest.
    public var utilization: Double {
        let all = busy + blockedOnInput + blockedOnOutput
        return all == 0 ? 0 : Double(busy) / Double(all)
    }
}

extension [StageCounts] {
    /// The stage that holds up the run; nil where nothing was done.
    public var bottleneck: StageCounts? {
        filter { $0.busy > 0 }.max { $0.utilization < $1.utilization }
    }
}
