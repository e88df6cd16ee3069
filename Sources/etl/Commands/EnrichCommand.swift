import Books
import Pipeline

/// `etl enrich`: asks services again for missing answers.
enum EnrichCommand: Command {
    static let missing = Option.flag(
        "missing", "Ask services again for missing answers, in all jobs of the store")

    static let spec = CommandSpec(
        "enrich", summary: "Ask services again for missing answers, in all jobs of a store",
        details: [
            "With --missing, continues every job that has pending records or is unfinished, the oldest first, as "
                + "`etl resume` does for one job. If a job fails, the remaining jobs still run. If nothing is "
                + "missing, the exit status is 0.",
            "Canceled jobs (stopped by `etl cancel`, or abandoned by --restart) are skipped unless --job names "
                + "one. `etl resume JOB` continues them too.",
            "--events writes the messages of one job after another. In --metrics each metric carries the label "
                + "`job_id`.",
            "With --quiet, prints nothing and exits with 0 even if services do not answer; their records stay "
                + "pending. With --require, reports a service that leaves records unanswered, and exits with 69.",
            "Never asks for an answer that is already known, so you can run it often, for example from a timer.",
            "Each job keeps its catalogs, format, columns, limit and library. Other values of these options are "
                + "errors.",
        ],
        options: [missing.spec] + RunOptions.all, requiring: [missing.spec],
        examples: [
            .init("etl enrich --missing", "Complete imports for which services did not answer"),
            .init(
                "etl enrich --missing --quiet --require openlibrary",
                "Run from a timer; exit with 69 if openlibrary does not answer"),
            .init("etl enrich --missing --job spring-import", "Complete only this job"),
        ]
    ) { arguments in
        if !arguments[missing] { return .needs("etl enrich", "`--missing`") }
        if arguments[RunOptions.restart] {
            return Objection(
                "`etl enrich` continues jobs and cannot be combined with `--restart`.",
                advice: "To start over, use `etl import --restart FILE`.")
        }
        return RunOptions.objection(arguments)
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments, RunOptions.db)
        var jobs: [Job] = []
        if arguments[RunOptions.job] != nil {
            if let job = try JobLookup.find(arguments[RunOptions.job], in: store) { jobs = [job] }
        } else {
            jobs = try JobLookup.all(in: store).reversed()
            let canceled = jobs.filter { ResumeSession.isSuspended($0) }.map(\.name)
            if !canceled.isEmpty {
                let names = canceled.prefix(5).joined(separator: ", ") + (canceled.count > 5 ? ", …" : "")
                console.note(
                    "Skipping \(HumanText.count(canceled.count, "canceled job")): \(names). To continue one, run \(UserCommand.resume(job: nil))."
                )
            }
            jobs.removeAll { ResumeSession.isSuspended($0) }
        }
        jobs.removeAll { !ResumeSession.isDue($0) }
        let resumption = ResumeSession(arguments: arguments, console: console)
        if jobs.isEmpty {
            try resumption.reportNothing(
                "`\(store)` has no unfinished jobs and no pending records: nothing to do.",
                of: JobLookup.find(arguments[RunOptions.job], in: store), in: store)
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
}
