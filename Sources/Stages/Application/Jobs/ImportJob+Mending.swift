import Books
import Pipeline
import Services

/// Rejects that come back (ambition 8): a mended list of errors is taken into the store, and the records it mends are
/// run through the job's pipeline in their old places.
extension ImportJob {
    /// Takes in the list, and runs what is mended.
    ///
    /// - Throws: `.missing` where there is no such job, `.temporary` where it is not completed, and what reading the
    ///   list throws.
    func mend() async throws(StageFailure) -> ImportOutcome {
        let began = clock.nanoseconds()
        let text = order.reading.text
        var order = order
        let ledger = JobTable(try StoreFile.openForReading(order.storePath, waiting: lockTerms))
        let known = try ledger.existing(order.jobName)
        guard !known.isUnfinished else { throw JobTable.unfinished(known) }
        try order.goOn(with: known)
        var surroundings = RunDependencies(reading: order.reading, library: order.library, stop: stop)
        let wishes = try BookStages.plan(order.definition, surroundings).providers
        for path in order.catalogPaths { surroundings.catalogs.append(try Catalog(path)) }
        let layouts = try SourceLayout.all(of: known, store: order.storePath)

        let gear = try await equip(
            order, surroundings, wishing: wishes, expecting: known.counts.rejected, goingOnWith: known)
        // Few records come back: they may as well wait for their answers.
        gear.desks.patience.patience = .patient
        let (reading, rejects, told) = (order.reading, order.rejects ?? "", order.rejectsDateOrder)
        var (job, figures) = try await gear.begin { () async throws(StageFailure) in
            let job = try await gear.store.take(completed: known.name)
            try await gear.store.noteAsking(gear.desks.names)
            try await gear.store.note(try await Self.notes(of: surroundings.catalogs))
            let intake = CorrectionImport(
                store: gear.store, job: job, reading: reading, layouts: layouts, told: told)
            return (job, try await intake.take(rejects, text: text))
        }
        observe(.began(Self.shown(job, mending: figures.taken)))

        var report = RunReport(outcome: .completed, recordsCommitted: 0, stages: [], elapsed: 0)
        do throws(StageFailure) {
            report = try await replayMended(gear, observing: { observe(.ran($0)) }) ?? report
        } catch {
            report.outcome = .failed(error)
        }
        do { try await gear.desks.close() } catch { report.note(error) }
        let survey = LibrarySurvey(files: [], recordCount: figures.taken)
        // The job stays completed, however far its mending has come: the same list again does what is left.
        var outcome = await end(
            job, report, survey, gear, leaving: .completed,
            milliseconds: Int64((clock.nanoseconds() - began) / 1_000_000))
        figures.mended = job.counts.rejected - outcome.job.counts.rejected
        outcome.mending = figures
        return outcome
    }

    /// Runs those of the job's mended records that are still rejected; nil where there are none.
    func replayMended(
        _ gear: RunResources, observing: @escaping @Sendable (RunEvent) -> Void = { _ in }
    ) async throws(StageFailure) -> RunReport? {
        guard try await gear.store.startMending() else { return nil }
        return await runner(try mendedFlow(gear, onlyRejected: true), gear).run(
            stop: stop, observing: observing)
    }

    /// The job's flow, with its mended records in place of its files.
    func mendedFlow(
        _ gear: RunResources, onlyRejected: Bool, observing observe: ComposeResults.Observer? = nil
    ) throws(StageFailure) -> Flow {
        var flow = try gear.flow(observing: observe)
        // In batches as the pipeline's own source makes them.
        var reading = gear.order.reading
        reading.batchLimits = flow.source.batchLimits
        flow.sourceName = "ReadMended"
        flow.source = ReadCorrected(store: gear.store, reading: reading, onlyRejected: onlyRejected)
        return reshape(flow)
    }

    /// The job as those who watch the mending are told of it: as many records as are taken up, none of them done.
    private static func shown(_ job: Job, mending count: Int) -> Job {
        var shown = job
        shown.totalCount = count
        shown.checkpoint = .start
        shown.counts = JobCounts(
            booksCreated: 0, booksUpdated: 0, duplicatesSkipped: 0, rejected: 0, enrichmentSucceeded: 0)
        return shown
    }
}
