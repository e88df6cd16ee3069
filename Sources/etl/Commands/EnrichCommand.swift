import Books
import Pipeline

/// `etl enrich`: asks services again for what a store holds.
enum EnrichCommand: Command {
    static let missing = Option.flag(
        "missing", "ask for what services have not answered yet, in every job of the store")

    static let spec = CommandSpec(
        "enrich", summary: "ask services again for what a store holds",
        details: [
            "With --missing it goes on with each job that has pending records or is unfinished, the oldest "
                + "first, as `etl resume` does with one. A job that fails does not keep the others from their "
                + "turn. Where nothing is missing, that is said and the status is 0.",
            "A canceled job (stopped by `etl cancel`, or begun anew with --restart) is left "
                + "alone unless --job names it; `etl resume JOB` goes on with it too.",
            "--events tells of one job after the other, and each figure of --metrics carries its job as `job_id`.",
            "--quiet says nothing and ends with 0 even where services stay silent, and what waits goes on waiting. With "
                + "--require it ends with 69 as long as that service leaves records open, and says so.",
            "It asks for nothing that is known: run it as often as you like, from a timer if you like.",
        ],
        options: [missing.spec] + RunOptions.all,
        examples: [
            .init("etl enrich --missing", "finish what was imported while services were silent"),
            .init(
                "etl enrich --missing --quiet --require openlibrary",
                "the same from a timer, which hears of it (status 69) while that service is silent"),
            .init("etl enrich --missing --job spring-import", "only what that job misses"),
        ]
    ) { arguments in
        if !arguments[missing] { return "`etl enrich` needs --missing." }
        if arguments[RunOptions.restart] { return "`etl enrich` goes on and `--restart` begins anew." }
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
            let canceled = jobs.count { ResumeSession.isLeftAlone($0) }
            if canceled > 0 {
                console.note(
                    "\(HumanText.count(canceled, "canceled job")) left alone; \(UserCommand.resume(job: nil)) continues one."
                )
            }
            jobs.removeAll { ResumeSession.isLeftAlone($0) }
        }
        jobs.removeAll { !ResumeSession.isDue($0) }
        let resumption = ResumeSession(arguments: arguments, console: console)
        if jobs.isEmpty {
            try resumption.reportNothing(
                "No record of \(store) is missing an answer: nothing to do.",
                of: JobLookup.find(arguments[RunOptions.job], in: store), in: store)
            return .completed
        }
        for remark in try ServiceSetup().remarks { console.warn(UserText(remark)) }
        let files = OutputFiles(arguments)
        for job in jobs { try files.check(against: try resumption.order(of: job), definition: nil) }
        let outputs = try files.open(console, namingJobs: true)
        var status = ExitStatus.completed
        for job in jobs {
            if jobs.count > 1 { console.note("Job \(job.name): \(ResumeSession.due(job)).") }
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
