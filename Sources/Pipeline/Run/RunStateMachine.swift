import System

/// The state of a run, as a pure value: what happens when something ends, fails or is asked to stop.
///
///     running ──stop, batch given up──▶ draining ──sink done──▶ ended(stopped)
///        │  └──────────source done, sink done──▶ ended(completed)
///        └──failure──▶ failing ──all tasks done──▶ ended(failed)
struct RunStateMachine {
    private enum Phase: Equatable {
        case running, draining
        case failing(ETLError)
    }

    private var phase = Phase.running
    private var sourceIsDone = false
    private var sinkIsDone = false
    /// Whether a batch was given up. The batches after it are not committed either.
    private(set) var hasGivenUp = false

    /// A worker's action after a failure.
    enum FailureAction: Equatable {
        /// Cancel all channels: this failure ends the run.
        case cancelChannels
        /// Nothing: an earlier failure already ends the run.
        case none
    }

    /// Whether the source may read on.
    var acceptsBatches: Bool { phase == .running }

    /// The failure that ends the run.
    var failure: ETLError? {
        if case .failing(let failure) = phase { failure } else { nil }
    }

    /// Whether everything was read and committed, so that the sink may finish.
    var isComplete: Bool { phase == .running && sourceIsDone && sinkIsDone }

    mutating func stopRequested() {
        // If the source has already read everything, the run completes.
        if phase == .running && !sourceIsDone { phase = .draining }
    }

    /// A batch was given up between two attempts, because the run is ending. Then the input is not committed
    /// completely, so the run is stopped, even if the source has read everything.
    mutating func gaveUp() {
        hasGivenUp = true
        if phase == .running { phase = .draining }
    }

    mutating func failed(_ failure: ETLError) -> FailureAction {
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
