import Books
import Pipeline

/// `etl cancel`: stops a job that another process runs.
enum CancelCommand: Command {
    static let job = Argument.one("JOB", "the job")

    static let spec = CommandSpec(
        "cancel", summary: "stop a running job from another terminal",
        details: [
            "The run finishes and commits the batches in hand, then ends. `etl resume`, or the same "
                + "command again, takes it up; `etl enrich --missing` leaves it alone."
        ],
        arguments: [job.spec], options: [StoreOptions.db.spec],
        examples: [
            .init("etl cancel spring-import", "stop the job of that name"),
            .init("etl cancel --db ours.sqlite spring-import", "stop it in another store"),
            .init("etl jobs", "find its name"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        do {
            switch try JobCancellation.request(arguments[job], in: store) {
            case .requested:
                console.note("Job \(arguments[job]) was asked to stop; it commits the batch in hand first.")
            case .canceled: console.note("Job \(arguments[job]) was not running; it is canceled now.")
            case .ended(let state):
                console.note("Job \(arguments[job]) is \(state.rawValue) already: nothing to cancel.")
            }
        } catch {
            throw CommandFailure(error)
        }
        return .completed
    }
}
