import Pipeline
import Stages

/// `etl resume`: goes on with an unfinished job.
enum ResumeCommand: Command {
    static let job = StoreOptions.jobArgument

    static let spec = CommandSpec(
        "resume", summary: "go on with an unfinished job, or with its pending records",
        details: [
            "A job that was stopped or killed goes on after its last committed batch; nothing is "
                + "done twice. The input must be what it was. Where there is nothing to do, that is said "
                + "and the status is 0.",
            "It goes on as it was begun, with its catalogs, format, columns, limit and library: they need "
                + "not be said again, and others are refused. Its error budget holds too, unless --max-errors "
                + "says another one; where it is spent, it is had anew for the records that are left.",
        ],
        arguments: [job.spec], options: RunOptions.all,
        examples: [
            .init("etl resume", "go on with the last job"),
            .init("etl resume spring-import", "go on with the job of that name"),
            .init("etl resume --db ours.sqlite --json", "tell the closing summary as JSON"),
        ],
        objection: { arguments in
            arguments[RunOptions.restart]
                ? "`etl resume` goes on and `--restart` begins anew: give it to `etl import`."
                : RunOptions.objection(arguments)
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = Places.store(arguments, RunOptions.db)
        guard let job = try Jobs.find(arguments[job] ?? arguments[RunOptions.job], in: store) else {
            console.note("There is no job in \(store): nothing to resume.")
            return .completed
        }
        guard Resumption.isDue(job) else {
            console.note("Job \(job.name) is completed and has no pending records: nothing to resume.")
            return .completed
        }
        return try await Resumption(arguments: arguments, console: console).run(job)
    }
}
