import Books
import Sources
import Store
import System

/// `etl retry`: asks services again for missing answers, and continues unfinished imports.
enum RetryCommand: Command {
    /// Which stage waits for an answer.
    enum WaitingStage: String, Sendable, CaseIterable {
        /// The lookup of books.
        case lookup
        /// The lookup of authors.
        case enrich

        /// Whether the stage asks a service.
        func asks(_ service: String) -> Bool {
            let isOfBooks = ServiceDefinition.all.first { $0.name == service }?.isOfBooks ?? true
            return isOfBooks == (self == .lookup)
        }
    }

    static let job = Argument.optional(
        "JOB", "Name of the job, or the beginning of its name (default: all jobs)")
    static let reason = Option.parsed(
        "reason", "CODE", mustBe: "the reason of a missing answer, such as rate_limited", of: reasons,
        "Only jobs with records that have no answer for this reason",
        parse: { reasons.contains($0) ? $0 : nil })
    static let stage = Option.parsed(
        "stage", "STAGE", mustBe: "lookup or enrich", of: WaitingStage.allCases.map(\.rawValue),
        "Only jobs with records that wait for this stage", parse: { WaitingStage(rawValue: $0) })

    private static let reasons = LookupOutcome.allCases.filter { !$0.isAnswered }.map(\.name)

    static let spec = CommandSpec(
        "retry", summary: "Ask services again for missing answers, in all jobs of a store",
        details: [
            "Continues every job that has pending records or is unfinished, the oldest first, as `etl resume` does for "
                + "one job. If a job fails, the remaining jobs still run. If nothing is missing, the exit status is 0.",
            "With --reason or --stage, continues only jobs with records that wait for that. Stage `lookup` asks about "
                + "books, stage `enrich` about authors. All pending records of such a job are asked about.",
            "Canceled jobs (stopped by `etl cancel`, or abandoned by --restart) are skipped unless you name one.",
            "--events writes the messages of one job after another. In --metrics each metric carries the label "
                + "`job_id`.",
            "With --quiet, prints nothing and exits with 0 even if services do not answer; their records stay "
                + "pending. With --require, reports a service that leaves records unanswered, and exits with 69.",
            "Never asks for an answer that is already known, so you can run it often, for example from a timer. "
                + "`etl enrich` refreshes answers that are known.",
            "Each job keeps its catalogs, format, columns, limit and library. Other values of these options are "
                + "errors.",
        ],
        arguments: [job.spec], options: [reason.spec, stage.spec] + RunOptions.all,
        showing: [reason.spec, stage.spec, RunOptions.require.spec] + RunOptions.usual,
        examples: [
            .init("etl retry", "Complete imports for which services did not answer"),
            .init(
                "etl retry --quiet --require openlibrary",
                "Run from a timer; exit with 69 if openlibrary does not answer"),
            .init("etl retry --reason rate_limited", "Ask again after a service had refused requests"),
        ]
    ) { arguments in
        if arguments[job] != nil, arguments[RunOptions.job] != nil {
            return Objection("The job is named twice.", advice: "Leave out `--job`.")
        }
        return objection(arguments)
    }

    /// The problem with the options of a command that continues jobs.
    static func objection(_ arguments: ParsedArguments) -> Objection? {
        if arguments[RunOptions.restart] {
            return Objection(
                "`etl \(arguments.command.first ?? "")` continues jobs and cannot be combined with `--restart`.",
                advice: "To start over, use `etl import --restart FILE`.")
        }
        return RunOptions.objection(arguments)
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        try await continueJobs(
            named: arguments[job] ?? arguments[RunOptions.job], reason: arguments[reason],
            stage: arguments[stage], arguments, console)
    }

    /// Continues jobs that have pending records or are unfinished.
    static func continueJobs(
        named name: String?, reason: String? = nil, stage: WaitingStage? = nil,
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let store = DefaultPaths.store(arguments, RunOptions.db)
        var jobs: [Job] = []
        if let name {
            if let job = try JobLookup.find(name, in: store) { jobs = [job] }
        } else {
            jobs = try JobLookup.all(in: store).reversed()
            let canceled = jobs.filter { ResumeSession.isSuspended($0) }.map(\.name)
            if !canceled.isEmpty {
                let names = canceled.prefix(5).joined(separator: ", ") + (canceled.count > 5 ? ", …" : "")
                console.note(
                    "Skipping \(HumanText.count(canceled.count, "canceled job")): \(names). To continue one, run \(UserCommand.resume(job: nil))."
                )
            }
            // A refresh continues with its own command, which states how much it may ask.
            jobs.removeAll { ResumeSession.isSuspended($0) || $0.isRefresh }
        }
        jobs.removeAll { !ResumeSession.isDue($0) }
        if reason != nil || stage != nil {
            jobs = try waiting(jobs, reason, stage, in: store)
        }
        let resumption = ResumeSession(arguments: arguments, console: console)
        if jobs.isEmpty {
            try resumption.reportNothing(
                reason == nil && stage == nil
                    ? "`\(store)` has no unfinished jobs and no pending records: nothing to do."
                    : "`\(store)` has no pending records like these: nothing to do.",
                of: name.flatMap { (name) throws(CommandFailure) in try JobLookup.find(name, in: store) },
                in: store)
            return .completed
        }
        for remark in try ServiceSetup().remarks { console.warn(UserText(remark)) }
        let files = OutputFiles(arguments)
        for job in jobs { try files.check(against: try resumption.request(of: job), definition: nil) }
        let outputs = try files.open(console, namingJobs: true)
        var status = ExitStatus.completed
        for job in jobs {
            if jobs.count > 1 { console.note("Continuing job `\(job.name)`: \(ResumeSession.due(job)).") }
            do throws(CommandFailure) {
                let ended = try await resumption.run(job, reporting: outputs)
                if status == .completed { status = ended }
            } catch {
                console.report(error)
                if status == .completed { status = error.status }
            }
            if Signals.process.received != nil { break }
        }
        return status
    }

    /// The jobs with records that wait for a reason, in a stage.
    private static func waiting(
        _ jobs: [Job], _ reason: String?, _ stage: WaitingStage?, in store: String
    ) throws(CommandFailure) -> [Job] {
        do throws(ETLError) {
            let pending = PendingRecords(try StoreFile.openForReading(store))
            var found: [Job] = []
            for job in jobs {
                let counts = try pending.counts(ofJob: job.id).filter { stage?.asks($0.service) ?? true }
                if counts.contains(where: { reason.map($0.reasons.keys.contains) ?? true }) {
                    found.append(job)
                }
            }
            return found
        } catch {
            throw CommandFailure(error)
        }
    }
}
