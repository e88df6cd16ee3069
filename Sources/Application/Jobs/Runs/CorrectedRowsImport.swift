import Bytes
import Formats
import Pipeline
import Queries
import Services
import Store
import System

/// The import of corrected rejects: the corrected rows are stored, and their records run through the job's
/// pipeline in their old places.
struct CorrectedRowsImport: Sendable {
    let core: ImportRun
    let request: ImportRequest
    let list: ImportRequest.CorrectedFile

    /// Stores the list and runs the corrected records.
    ///
    /// - Throws: `.missing` if there is no such job, `.temporary` if it is not completed, and what reading
    ///   the list throws.
    func run() async throws(ETLError) -> ImportOutcome {
        let began = core.clock.nanoseconds()
        let text = request.reading.text
        var request = request
        let table = JobTable(try StoreFile.openForReading(request.storePath, waiting: core.lockWaitPolicy))
        let known = try table.existing(request.jobName)
        guard !known.isUnfinished else { throw JobTable.unfinished(known) }
        try request.continueJob(with: known)
        let plan = try BookStages.plan(request.definition)
        let files = try request.openNamedFiles(of: plan)
        let layouts = try SourceLayout.all(of: known, store: request.storePath)

        let resources = try await core.openResources(
            request, files, settings: plan.providers, expecting: known.counts.rejected,
            resuming: known
        )
        // There are few records, so they can wait for their answers.
        resources.clients.waitPolicy.waitPolicy = .noTimeout
        let reading = request.reading
        var (job, counts) = try await resources.closingOnFailure { () async throws(ETLError) in
            let job = try await resources.store.take(completed: known.name)
            try await resources.noteSources()
            let intake = CorrectionImport(
                store: resources.store, job: job, reading: reading, layouts: layouts,
                explicit: list.dateOrder,
                stop: core.stop)
            return (job, try await intake.take(list.path, text: text))
        }
        core.observe(.began(Self.shown(job, corrections: counts.taken)))
        async let _: Void = core.watch(job, resources.store)

        var report = RunReport(outcome: .completed, recordsCommitted: 0, stages: [], elapsed: 0)
        do throws(ETLError) {
            report =
                try await core.replayCorrected(resources, observing: { [core] in core.observe(.ran($0)) })
                ?? report
        } catch {
            report.outcome = .failed(error)
        }
        do { try await resources.clients.close() } catch { report.note(error) }
        let survey = LibrarySurvey(files: [], recordCount: counts.taken)
        // The job stays completed, even if the corrections are not finished. Importing the list again does
        // the rest.
        var outcome = await core.end(
            job, report, survey, resources, leaving: .completed,
            milliseconds: Int64((core.clock.nanoseconds() - began) / 1_000_000))
        counts.corrected = job.counts.rejected - outcome.job.counts.rejected
        outcome.corrections = counts
        return outcome
    }

    /// The job as observers of a correction see it: it has as many records as there are corrections, and none
    /// is processed.
    private static func shown(_ job: Job, corrections count: Int) -> Job {
        var shown = job
        shown.totalCount = count
        shown.checkpoint = .start
        shown.counts = JobCounts(
            booksCreated: 0, booksUpdated: 0, duplicatesSkipped: 0, rejected: 0, enrichmentSucceeded: 0)
        return shown
    }
}
