import Contract
import Jobs
import Pipeline
import Queries
import Store
package import System

/// Refreshes the stored books every night, as a job of the queue that waits for all others, and then writes a backup.
package final class Nightly: Sendable {
    /// Settings of the nightly run.
    package struct Settings: Sendable {
        package var time: TimeOfDay
        /// Where backups go; nil for none.
        package var backups: BackupFolder?

        package init(at time: TimeOfDay, backups: BackupFolder? = nil) {
            self.time = time
            self.backups = backups
        }
    }

    private enum Step: Sendable {
        case begin, refresh, backUp
        case finish(JobEventLog)
    }

    /// Time after which a refresh begins nothing more, in milliseconds. The books that are left are refreshed in the next
    /// night.
    private static let longest: Int64 = 6 * 3_600_000

    package let settings: Settings
    private let jobs: JobRunner
    private let queue: JobQueue
    private let clock: any RunClock
    private let log: AccessLog?
    private let task = RepeatedTask()
    private let state: Guarded<NightlyRun>

    /// Continues the run of an earlier process.
    package init(
        _ settings: Settings, _ jobs: JobRunner, log: AccessLog?, clock: any RunClock
    ) async throws(ETLError) {
        self.settings = settings
        self.jobs = jobs
        queue = jobs.queue
        self.clock = clock
        self.log = log
        let run: NightlyRun
        if let kept = try await queue.nightlyRun() {
            run = kept
        } else {
            run = NightlyRun(settings.time, now: clock.epochMilliseconds())
            try await queue.keep(run)
        }
        state = Guarded(run)
    }

    /// The run as it is now.
    package var run: NightlyRun { state.withLock { $0 } }

    /// When the next run is due, in milliseconds since 1970.
    package var next: Int64 { run.next(settings.time) }

    /// Does what is due. Call it a few times a second.
    package func tick() {
        let now = clock.epochMilliseconds()
        task.begin(on: jobs.threads) {
            guard let next = state.withLock({ step(&$0, now) }) else { return nil }
            return { [self] in await take(next) }
        }
    }

    /// Begins nothing more, and waits for what is under way.
    package func stop() async { await task.stop() }

    private func step(_ run: inout NightlyRun, _ now: Int64) -> Step? {
        switch run.phase {
        case .waiting: return run.begin(settings.time, at: now) ? .begin : nil
        case .refresh:
            // Without a log, the process was killed before the job was accepted.
            guard let job = run.job, let log = jobs.hub[job] else { return .refresh }
            return log.ending == nil ? nil : .finish(log)
        case .backup: return .backUp
        }
    }

    private func take(_ step: Step) async {
        switch step {
        case .begin:
            await change { _ in }
            await refresh()
        case .refresh: await refresh()
        case .backUp: await backUp()
        case .finish(let log):
            let result: NightlyRun.Part.Result =
                switch log.state {
                case .completed: .completed
                case .canceled: .canceled
                default: .failed
                }
            await endRefresh(result, result == .failed ? log.sentence : "")
        }
    }

    // MARK: Refresh

    private func refresh() async {
        do throws(ETLError) {
            guard let name = try job() else { return await endRefresh(.skipped, "No book is due.") }
            await change { $0.refreshes(as: name) }
            var options = ImportOptions(.refresh, job: name)
            options.upload = JobName.make()
            options.until = clock.epochMilliseconds() + Self.longest
            do throws(JobRefusal) {
                try await jobs.accept(options, owner: nil, client: "")
            } catch {
                await endRefresh(.failed, error.message)
            }
        } catch {
            await endRefresh(.failed, error.message)
        }
    }

    /// The name of the job that refreshes: the one that has books left, or a new one; nil if no book is due.
    private func job() throws(ETLError) -> String? {
        guard let request = jobs.settings.refreshes, let options = request.refresh?.options,
            try StoreFile.openIfStarted(request.storePath) != nil
        else { return nil }
        if let known = try ImportJob.refreshToContinue(request) { return known.name }
        return try ImportJob.booksToRefresh(request, options, clock: clock) > 0 ? JobName.make() : nil
    }

    private func endRefresh(_ result: NightlyRun.Part.Result, _ sentence: String) async {
        let part = NightlyRun.Part(result, sentence, at: clock.epochMilliseconds())
        let backsUp = settings.backups != nil
        await change { $0.endRefresh(part, backsUp: backsUp) }
        note("nightly.refresh", part, job: run.job)
    }

    // MARK: Backup

    private func backUp() async {
        var bytes: Int?
        var (result, sentence) = (NightlyRun.Part.Result.completed, "")
        do throws(ETLError) {
            if let backup = try settings.backups?.write(at: run.due) {
                bytes = backup.bytes
            } else {
                (result, sentence) = (.skipped, "There is no store, or no folder for backups.")
            }
        } catch {
            (result, sentence) = (.failed, error.message)
        }
        let part = NightlyRun.Part(result, sentence, at: clock.epochMilliseconds())
        await change { [bytes] in $0.endBackup(part, bytes: bytes) }
        note("nightly.backup", part)
    }

    // MARK: State

    private func change(_ change: @Sendable (inout NightlyRun) -> Void) async {
        let run = state.withLock { run in
            change(&run)
            return run
        }
        // If it cannot be kept, the next process repeats this step.
        try? await queue.keep(run)
    }

    private func note(_ name: String, _ part: NightlyRun.Part, job: String? = nil) {
        log?.add(
            AccessLog.Event(
                time: part.endedAt, name: name, job: job, result: part.result.rawValue,
                sentence: part.sentence))
    }
}
