import Books
import Pipeline

/// The survey of the files. A large file takes seconds, and a job that goes on can be canceled meanwhile.
extension ImportJob {
    /// Locks the store before the run opens it, and says which job will run.
    func lock(for job: Job) throws(StageFailure) -> StoreLock {
        let lock = try StoreLock(store: request.storePath)
        lock.writeJobName(job.name)
        return lock
    }

    /// - Parameter lock: Where another process asks the job to stop; nil for a new job, which no one knows yet.
    func survey(
        _ request: ImportRequest, resuming job: Job?, holding lock: StoreLock?
    ) async throws(StageFailure) -> LibrarySurvey {
        // Ended and awaited with this function: later the run itself looks for requests.
        async let _: Void = watch(lock, for: job)
        return try await ReadLibrary(request.reading, stop: stop).surveyLibrary(
            until: CalendarDate.tomorrow(of: clock.epochMilliseconds()))
    }

    private func watch(_ lock: StoreLock?, for job: Job?) async {
        guard let lock, let job else { return }
        while !Task.isCancelled {
            if lock.isStopRequested(of: job.name) { return stop.raise() }
            await watchClock.sleep(nanoseconds: Self.watchInterval)
        }
    }
}
