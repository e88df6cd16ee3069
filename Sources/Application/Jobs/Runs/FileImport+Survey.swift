import Books
import Database
import Formats
import Pipeline
import Store
import System

/// The survey of the files. A large file takes seconds, and a continued job can be canceled meanwhile.
extension FileImport {
    /// Locks the store before the run opens it, and says which job will run.
    func lock(for job: Job) throws(ETLError) -> StoreLock {
        let lock = try StoreLock(store: request.storePath)
        lock.writeJobName(job.name)
        return lock
    }

    /// - Parameter lock: Lock that carries requests to stop the job; nil for a new job, which no process knows yet.
    func survey(
        _ request: ImportRequest, resuming job: Job?, holding lock: StoreLock?
    ) async throws(ETLError) -> LibrarySurvey {
        // Ended and awaited with this function: later the run itself looks for requests.
        async let _: Void = watch(lock, for: job)
        return try await ReadLibrary(request.reading, stop: core.stop).surveyLibrary(
            until: CalendarDate.tomorrow(of: core.clock.epochMilliseconds()),
            recordLimit: request.recordLimit)
    }

    private func watch(_ lock: StoreLock?, for job: Job?) async {
        guard let lock, let job else { return }
        while !Task.isCancelled {
            if lock.isCancelRequested(of: job.name) { return core.stop.raise() }
            await core.watchClock.sleep(nanoseconds: ImportRun.watchInterval)
        }
    }
}

/// Whose records the files have.
extension FileImport {
    /// Rejects files that look like another person's, which would overwrite ratings, shelves and dates.
    ///
    /// - Throws: `conflict`, before a record is imported.
    func checkOwner(_ request: ImportRequest) throws(ETLError) {
        guard !request.isSamePerson,
            let connection = try StoreFile.openIfStarted(request.storePath, waiting: core.lockWaitPolicy)
        else { return }
        for index in request.reading.files.indices {
            let (formatName, records) = try request.reading.facts(
                ofFile: index, atMost: KnownRecords.sampleSize)
            let known = try KnownRecords(
                records, formatName: formatName, library: request.library, in: connection)
            guard known.areAnotherPersons, let example = known.example else { continue }
            throw ETLError(
                .conflict,
                """
                `\(request.reading.files[index])` looks like another person's: of \(known.dated) books that \
                the library `\(request.library)` has from \(LibraryFormats.origin(of: formatName)) too, \(known.otherwiseDated) were \
                added on other days, such as \u{201C}\(example.title)\u{201D} on \(example.inFile) instead of \
                \(example.inLibrary).
                """,
                advice: """
                    Import it into a library of its own with \(UserSetting.library). If it is the same person's, use \
                    \(UserSetting.samePerson).
                    """)
        }
    }
}

/// Records that earlier runs and jobs have read.
extension FileImport {
    /// What earlier runs of the job have read and rejected since its budgets were last exceeded; nil without
    /// budgets or earlier runs. A job that was killed does not get a fresh budget.
    func baseline(by job: Job?, _ request: ImportRequest) throws(ETLError) -> BudgetBaseline? {
        guard let job, request.budgets != nil else { return nil }
        var baseline = try core.progress(job, in: request.storePath)
        guard let spent = job.runState.budgetBaseline else { return baseline }
        baseline.records = max(0, baseline.records - spent.records)
        for (code, count) in spent.rejects {
            baseline.rejects[code] = max(0, (baseline.rejects[code] ?? 0) - count)
        }
        return baseline
    }

    /// Rejects a file that has changed before the checkpoint.
    func check(_ job: Job, _ request: ImportRequest) throws(ETLError) {
        guard job.checkpoint != .start, let digest = job.tailDigest else { return }
        guard TailHash(files: request.reading.files).digest(before: job.checkpoint) == digest else {
            throw JobTable.changed(job)
        }
    }

    /// The jobs that have read the same files into the library before; nil if there are none. The files are
    /// the same if their fingerprints match and the bytes before each job's checkpoint are unchanged.
    func readBefore(
        _ request: ImportRequest, _ survey: LibrarySurvey
    ) throws(ETLError) -> [Int64]? {
        guard let connection = try StoreFile.openIfStarted(request.storePath, waiting: core.lockWaitPolicy)
        else {
            return nil
        }
        let inputs = survey.source.fingerprints
        let tails = TailHash(files: request.reading.files)
        let jobs = try JobTable(connection).all(on: inputs).filter { job in
            guard job.library == request.library, job.checkpoint != .start else { return false }
            return job.tailDigest.map { $0 == tails.digest(before: job.checkpoint) } ?? true
        }
        return jobs.isEmpty ? nil : jobs.map(\.id).sorted()
    }
}
