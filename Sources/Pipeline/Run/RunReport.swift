package import System

/// Outcome of a run and metrics of each stage.
package struct RunReport: Sendable {
    /// The three ways a run ends.
    package enum Outcome: Sendable, Hashable {
        /// The whole input was read and everything is committed.
        case completed
        /// Stopped on request. Records read so far are committed, and the run can be resumed.
        case stopped
        /// A failure ended the run. What was committed stays, and the run can be resumed.
        case failed(ETLError)
    }

    /// The run's outcome.
    package var outcome: Outcome
    /// Number of records read by the source and committed by the sink in this run.
    package var recordsCommitted: Int
    /// Source, stages and sink, in the order of the flow.
    package var stages: [StageCounts]
    /// Duration of the run in nanoseconds.
    package var elapsed: UInt64

    /// A report of all values.
    package init(outcome: Outcome, recordsCommitted: Int, stages: [StageCounts], elapsed: UInt64) {
        self.outcome = outcome
        self.recordsCommitted = recordsCommitted
        self.stages = stages
        self.elapsed = elapsed
    }

    /// Whether a failure ended the run.
    package var isFailed: Bool { if case .failed = outcome { true } else { false } }

    /// Records a failure that happened after the run, unless the run itself failed.
    package mutating func note(_ failure: ETLError) {
        if isFailed { return }
        outcome = .failed(failure)
    }
}

/// An event of a run. Observers are called from the tasks of the run, so they must return quickly.
package enum RunEvent: Sendable {
    /// A batch is next to be written, in the order of the input. `rejects` is as in `committed`.
    case writing(recordsRead: Int, rejects: [String: [Int]])
    /// A batch was committed. `rejects` has the rejected records by reason code: their numbers in the batch,
    /// from 0, ascending.
    case committed(end: Position, recordsRead: Int, rejects: [String: [Int]])
    /// A transient failure; the stage is tried again after a pause.
    case retrying(stage: String, failure: ETLError, attempt: Int, pauseNanoseconds: UInt64)
}

/// Counts and times of one step, from which the bottleneck of a run is determined.
package struct StageCounts: Sendable, Hashable {
    /// The step's name in the pipeline file.
    package var name: String
    /// Number of tasks that shared its batches.
    package var workers: Int
    /// Records received.
    package var recordsIn = 0
    /// Records passed on.
    package var recordsOut = 0
    /// Records rejected.
    package var rejected = 0
    /// Batches received. Retries do not count.
    package var batches = 0
    /// Retries after transient failures.
    package var retries = 0
    /// Time spent working, summed over all workers, in nanoseconds.
    package var busy: UInt64 = 0
    /// Time spent waiting for a batch, in nanoseconds.
    package var blockedOnInput: UInt64 = 0
    /// Time spent waiting for room downstream, in nanoseconds.
    package var blockedOnOutput: UInt64 = 0
    /// Highest number of batches that waited before the step.
    package var deepest = 0

    /// Counts of a step that has not done anything yet.
    package init(name: String, workers: Int = 1) {
        self.name = name
        self.workers = workers
    }

    /// Share of its time that a step was working, 0–1. The step closest to 1 is the bottleneck.
    package var utilization: Double {
        let all = busy + blockedOnInput + blockedOnOutput
        return all == 0 ? 0 : Double(busy) / Double(all)
    }
}

extension [StageCounts] {
    /// The step that limits the run's speed; nil if no work was done.
    package var bottleneck: StageCounts? {
        filter { $0.busy > 0 }.max { $0.utilization < $1.utilization }
    }
}
