import Store
import System

/// Action if a job does not meet the expectations of its pipeline, or its library is full.
extension ImportRun {
    /// The end of a run whose job does not meet them; nil if it does, or if the user accepts it.
    func violation(_ resources: RunResources) async throws(ETLError) -> ImportOutcome.End? {
        if let excess = try await excess(resources) { return .violated([excess], undoneBy: nil) }
        guard !resources.request.acceptsViolations else { return nil }
        let violations = try await RunExpectations(resources.plan).violations(resources.store)
        return violations.isEmpty ? nil : .violated(violations, undoneBy: nil)
    }

    /// Why the job must not stay, although it is complete: its library has more books than it may. Nil if it may stay, as a
    /// job may that adds none.
    private func excess(_ resources: RunResources) async throws(ETLError) -> String? {
        guard let limit = resources.request.bookLimit,
            let job = try await resources.store.storedJob(), job.counts.booksCreated > 0
        else { return nil }
        let count = try await resources.store.bookCount(of: job.library)
        guard count > limit else { return nil }
        return """
            The library would have \(count) books, and may have \(limit). The import was undone, and nothing has changed. \
            Import fewer books, or remove some first.
            """
    }

    /// Undoes a job that does not meet them, if its pipeline says so, or whose library is full.
    func undoViolation(_ outcome: inout ImportOutcome, _ resources: RunResources) async throws(ETLError) {
        guard case .violated(let violations, nil) = outcome.end else { return }
        if RunExpectations(resources.plan).action != .undo, try await excess(resources) == nil { return }
        let undo = JobName.make()
        _ = try await resources.store.undo(UndoRequest(jobs: [outcome.job.name], name: undo))
        outcome.end = .violated(violations, undoneBy: undo)
        outcome.job.undoneBy = undo
    }
}
