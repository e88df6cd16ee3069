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
