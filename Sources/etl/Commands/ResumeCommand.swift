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
                + "and the status is 0."
        ],
        arguments: [job.spec], options: RunOptions.all,
        examples: [
            .init("etl resume", "go on with the last job"),
            .init("etl resume spring-import", "go on with the job of that name"),
            .init("etl resume --db ours.sqlite --json", "tell the closing summary as JSON"),
        ],
        objection: RunOptions.objection)

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = Places.store(arguments, RunOptions.db)
        guard let job = try Jobs.find(arguments[job], in: store) else {
            console.note("There is no job in \(store): nothing to resume.")
            return .completed
        }
        guard job.isUnfinished else {
            console.note("Job \(job.name) is completed and has no pending records: nothing to resume.")
            return .completed
        }
        var reading = ReadSettings(files: [])
        do {
            try reading.take(told: job.told)
        } catch {
            throw CommandFailure(error)
        }
        var order = try Orders.order(
            files: job.inputs.map(\.name), try Definitions.csvImport(), arguments, reading: reading)
        order.jobName = job.name
        order.library = job.library
        return try await ImportSession(arguments: arguments, console: console).run(order)
    }
}
