import Database
import Formats
import Pipeline
import Store
import System

/// An import of files: it reads them from where the job's last run has ended, and then finishes pending records.
struct FileImport: Sendable {
    let core: ImportRun
    let request: ImportRequest

    /// A job that has begun.
    private struct Begun: Sendable {
        var job: Job
        var resources: RunResources
        var survey: LibrarySurvey
        var flow: Flow
        /// Nil without error budgets.
        var budgets: Guarded<ErrorBudgetsTracker?>
    }

    /// - Throws: Failures that prevent the job from beginning. Later failures are in the outcome.
    func run() async throws(ETLError) -> ImportOutcome {
        let start = core.clock.nanoseconds()
        let begun = try await begin()
        let (job, resources) = (begun.job, begun.resources)
        // Ended and awaited with this function: it must not keep the store locked for the next run.
        async let _: Void = core.watch(job, resources.store)
        var report = await read(begun)
        let isRead = report.outcome == .completed
        let heldBackBy = await finish(begun, &report)
        await close(resources, &report)
        // A broken store cannot take copies, and says so at the end.
        if isRead, !report.isFailed, !resources.request.isDryRun {
            do throws(ETLError) {
                try await resources.store.keepInputs(resources.request.reading.files)
            } catch {
                core.observe(.inputsNotKept(error))
            }
        }
        var outcome = await core.end(
            job, report, begun.survey, resources, tracker: begun.budgets.withLock { $0 },
            heldBackBy: heldBackBy,
            milliseconds: Int64((core.clock.nanoseconds() - start) / 1_000_000))
        outcome.earlier = job.counts.totalProcessed
        outcome.waited = job.pending
        do throws(ETLError) {
            if let metrics = outcome.metrics { try await resources.store.note(metrics) }
            try await resources.store.note(outcome.pause)
            let pause = outcome.pause
            outcome.job.runState.pause = pause
        } catch {
            // The job stays completed with pending records, which is what the store says too.
            if outcome.end.failure == nil { outcome.end = .failed(error) }
        }
        return outcome
    }

    /// Finds the job to continue, surveys the files, opens the store and begins the job.
    private func begin() async throws(ETLError) -> Begun {
        var request = request
        try request.reading.expandArchives(stop: core.stop)
        // A job that continues decides the options.
        let known = try ImportJob.jobToContinue(request, waiting: core.lockWaitPolicy)
        if let known {
            try request.continueJob(with: known)
            try check(known, request)
        } else {
            request.reading = try request.readingWithRules(waiting: core.lockWaitPolicy)
        }
        // Everything that can be wrong with the request is found before a store is created or a record is
        // read.
        let plan = try BookStages.plan(request.definition)
        request.reading.expectedFormats = BookStages.expectedFormats(of: plan)
        let files = try request.openNamedFiles(of: plan)
        let lock: StoreLock? = if let known { try self.lock(for: known) } else { nil }
        let survey = try await survey(request, resuming: known, holding: lock)
        core.observe(.surveyed(survey))
        // A job that continues has the date orders from its beginning.
        if request.reading.dateOrders.isEmpty { request.reading.dateOrders = survey.dateOrders }
        request.reading.surveyed = survey.surveyed

        let readBefore = known == nil ? try self.readBefore(request, survey) : nil
        if known == nil, readBefore == nil { try checkOwner(request) }
        let baseline = try baseline(by: known, request)
        let resources = try await core.openResources(
            request, files, settings: plan.providers, expecting: survey.recordCount, resuming: known,
            holding: lock)
        let flow = try flow(resources)
        var jobRequest = try request.job(survey, resuming: known)
        jobRequest.options?.readBefore = readBefore
        let job = try await resources.begin(jobRequest)
        if let estimate = await core.serviceEstimate(request, resources, resuming: known) {
            core.observe(.estimated(estimate))
        }
        core.observe(.began(job))
        let budgets = request.budgets.map {
            ErrorBudgetsTracker($0, records: baseline?.records ?? 0, rejects: baseline?.rejects ?? [:])
        }
        return Begun(job: job, resources: resources, survey: survey, flow: flow, budgets: Guarded(budgets))
    }

    private func flow(_ resources: RunResources) throws(ETLError) -> Flow {
        let isAsking = !resources.clients.names.isEmpty
        let noteOpen: ComposeResults.Observer = { [observe = core.observe] _, open in
            if open > 0 { observe(.pendingInBatch(open)) }
        }
        var flow = try resources.flow(observing: isAsking ? noteOpen : nil)
        // Services take most of the time, so smaller batches cost little and show how far the run is.
        if isAsking {
            flow = PendingPass.spread(
                flow, over: resources.records, by: Self.recordsWithServices,
                answering: resources.services.recordsPerSecond)
        } else if resources.request.admitsReaders {
            // Clients see how far the import is. The batches of a large one are a smaller part of it anyway.
            let part = max(Self.fewestRecords, resources.records / Self.partsForClients)
            flow.source.batchLimits.records = min(flow.source.batchLimits.records, part)
        }
        return core.reshape(resources.request.isDryRun ? flow.withoutCopies : flow)
    }

    /// Reads the records that the job has not read yet.
    private func read(_ begun: Begun) async -> RunReport {
        let (flow, checkpoint, budgets) = (begun.flow, begun.job.checkpoint, begun.budgets)
        do throws(ETLError) {
            // The stages get to know the records before the checkpoint first.
            try await ResumedRows(flow: flow, clock: core.clock, stop: core.stop).remember(before: checkpoint)
        } catch {
            return RunReport(outcome: .failed(error), recordsCommitted: 0, stages: [], elapsed: 0)
        }
        return await core.runner(flow, begun.resources).run(from: checkpoint, stop: core.stop) {
            [core] event in
            // Rejects count before they are committed: a transaction can have tens of thousands of records.
            if case .writing(let records, let rejects) = event,
                budgets.withLock({ $0?.note(records: records, rejects: rejects) }) != nil
            {
                core.stop.raise(droppingLaterBatches: true)
            }
            core.observe(.ran(event))
        }
    }

    /// Applies corrected rows and finishes pending records. In a run that was stopped, brings the answers that have
    /// arrived into the library.
    ///
    /// - Returns: Services without calls left, which keeps pending records unfinished.
    private func finish(_ begun: Begun, _ report: inout RunReport) async -> Set<String> {
        let (resources, store) = (begun.resources, begun.resources.store)
        do throws(ETLError) {
            if report.outcome == .completed, let replayed = try await core.replayCorrected(resources) {
                report.outcome = replayed.outcome
            }
            if report.outcome == .completed {
                let result = try await core.finishPending(resources)
                report = result.report ?? report
                return result.heldBackBy
            }
            if report.outcome == .stopped, !begun.flow.multipliesRows,
                begun.budgets.withLock({ $0?.verdict(atEnd: false) }) == nil,
                let read = try await store.storedJob()?.counts.totalProcessed,
                await !store.isCancelRequested() || read <= ImportRun.mostAddedAtCancel
            {
                try await core.addAnswers(resources, limit: read)
            }
        } catch {
            report.outcome = .failed(error)
        }
        return []
    }

    private func close(_ resources: RunResources, _ report: inout RunReport) async {
        do throws(ETLError) {
            try await resources.clients.close()
            // All records are read, but some are pending and were not waited for.
            if report.outcome == .completed, core.stop.isRaised, try await resources.store.pendingCount() > 0
            {
                report.outcome = .stopped
            }
        } catch {
            report.note(error)
        }
    }

    /// Number of batches of an import that clients watch, and minimum batch size.
    private static let (partsForClients, fewestRecords) = (20, 32)
    /// Maximum batch size of a run that asks services. Those whose answers are cached take it too.
    private static let recordsWithServices = 128
}
