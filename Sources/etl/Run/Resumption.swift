import Pipeline
import Stages

/// Goes on with one job as it was begun: with its unread rest, or with its pending records. What `etl resume` and `etl
/// enrich --missing` share.
struct Resumption {
    let arguments: ParsedArguments
    let console: Console

    /// Whether there is anything to go on with.
    static func isDue(_ job: Job) -> Bool { job.isUnfinished || job.pending > 0 }

    func run(_ job: Job) async throws(CommandFailure) -> ExitStatus {
        var order = try Orders.order(files: [], try Definitions.csvImport(), arguments)
        order.jobName = job.name
        order.takesUpPending = job.pending > 0
        order.pipelineChoice = .any
        return try await ImportSession(arguments: arguments, console: console)
            .run(order, inputs: job.inputs.map(\.name))
    }
}
