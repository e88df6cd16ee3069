/// The life of a run, as a value: what happens next when something ends, fails or is asked to stop.
///
///     running ──stop, batch given up──▶ draining ──sink done──▶ ended(stopped)
///        │  └──────────source done, sink done──▶ ended(completed)
///        └──failure──▶ failing ──all tasks done──▶ ended(failed)
struct RunStateMachine {
    private enum Phase: Equatable {
        case running, draining
        case failing(StageFailure)
    }

    private var phase = Phase.running
    private var sourceIsDone = false
    private var sinkIsDone = false
    /// Whether a batch was given up: those after it are not committed either.
    private(set) var hasGivenUp = false

    /// What a worker that saw a failure is to do.
    enum FailureAction: Equatable {
        /// Cancel all channels: this failure ends the run.
        case cancelChannels
        /// The run is ending already, for an earlier failure.
        case none
    }

    /// Whether the source reads on.
    var acceptsBatches: Bool { phase == .running }

    /// The failure that ends the run.
    var failure: StageFailure? {
        if case .failing(let failure) = phase { failure } else { nil }
    }

    /// Whether everything was read and committed and the sink may finish.
    var isComplete: Bool { phase == .running && sourceIsDone && sinkIsDone }

    mutating func stopRequested() {
        // A source that has read everything loses nothing by a late request: the run completes.
        if phase == .running && !sourceIsDone { phase = .draining }
    }

    /// A batch was given up between two attempts, because the run is to end. However late that is, the input is
    /// not all committed: the run is stopped, not complete.
    mutating func gaveUp() {
        hasGivenUp = true
        if phase == .running { phase = .draining }
    }

    mutating func failed(_ failure: StageFailure) -> FailureAction {
        if case .failing = phase { return .none }
        phase = .failing(failure)
        return .cancelChannels
    }

    mutating func sourceEnded() { sourceIsDone = true }

    mutating func sinkEnded() { sinkIsDone = true }

    var outcome: RunReport.Outcome {
        switch phase {
        case .failing(let failure): .failed(failure)
        case .draining: .stopped
        case .running: isComplete ? .completed : .stopped
        }
    }
}
