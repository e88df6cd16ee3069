import Contract
import Store
import System

/// `etl cancel`: stops a job that another process is running.
enum CancelCommand: Command {
    static let job = Argument.one("JOB", "Name of the job, or the beginning of its name")

    static let spec = CommandSpec(
        "cancel", summary: "Stop a running job from another terminal",
        details: [
            "The run commits the batches in progress, then ends. `etl resume`, or the same import command, continues "
                + "the job. `etl retry` skips it.",
            "A new job can be canceled once its files have been looked through. Until then, stop the command itself.",
        ],
        arguments: [job.spec], options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl cancel spring-import", "Stop the job with this name"),
            .init("etl cancel --db ours.sqlite spring-import", "Stop a job in another store"),
            .init("etl jobs", "Find the name of a job"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        do {
            switch try JobCancellation.request(arguments[job], in: store) {
            case .requested:
                console.note("Job `\(arguments[job])` will stop after committing the batches in progress.")
            case .canceled: console.note("Job `\(arguments[job])` was not running. It is now canceled.")
            case .ended(let state):
                console.note(
                    "Job `\(arguments[job])` has already ended (\(state.rawValue)): nothing to cancel.")
            }
        } catch {
            throw CommandFailure(error)
        }
        if arguments[StoreOptions.json], let job = try JobLookup.find(arguments[job], in: store) {
            let running = JobLookup.running(among: [job], in: store)
            let status = JobLookup.status(of: job, running: running, in: store)
            try console.writeJSON { status.write(into: &$0) }
        }
        return .completed
    }
}
