import Store
import System

/// Action if a job does not meet the expectations of its pipeline.
extension ImportRun {
    /// The end of a run whose job does not meet them; nil if it does, or if the user accepts it.
    func violation(_ resources: RunResources) async throws(ETLError) -> ImportOutcome.End? {
        guard !resources.request.acceptsViolations else { return nil }
        let violations = try await RunExpectations(resources.plan).violations(resources.store)
        return violations.isEmpty ? nil : .violated(violations, undoneBy: nil)
    }

    /// Takes a job back that does not meet them, if its pipeline says so.
    func undoViolation(_ outcome: inout ImportOutcome, _ resources: RunResources) async throws(ETLError) {
        guard case .violated(let violations, nil) = outcome.end,
            RunExpectations(resources.plan).action == .undo
        else { return }
        let undo = JobName.make()
        _ = try await resources.store.undo(UndoRequest(jobs: [outcome.job.name], name: undo))
        outcome.end = .violated(violations, undoneBy: undo)
        outcome.job.undoneBy = undo
    }
}
