import Application
import Books
import Pipeline
import Syntax

/// `etl status`: how far a job is.
enum StatusCommand: Command {
    static let job = StoreOptions.jobArgument

    static let spec = CommandSpec(
        "status", summary: "tell how far a job is", arguments: [job.spec],
        options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl status", "the last job"),
            .init("etl status spring-import", "the job of that name, running or not"),
            .init("etl status --json spring-import", "the same in the contract's words"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        guard let job = try JobLookup.find(arguments[job], in: store) else {
            throw CommandFailure(.missing, "\(store) holds no jobs yet.", advice: "Import something first.")
        }
        let running = JobLookup.running(among: try JobLookup.all(in: store), in: store)
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            job.statusDTO(isRunning: job.id == running?.id).write(into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
            return .completed
        }
        var table = Table(.init("job"), .init(job.name))
        table.add("status", JobLookup.standing(of: job, running: running))
        table.add("pipeline", job.pipeline)
        table.add("library", job.library)
        table.add("input", JobLookup.inputs(of: job))
        let total = job.totalCount.map { " of \(HumanText.count($0))" } ?? ""
        table.add(
            "records",
            "\(HumanText.count(job.counts.totalProcessed))\(total), \(HumanText.percent(job.progress))")
        table.add("created", HumanText.count(job.counts.booksCreated))
        table.add("updated", HumanText.count(job.counts.booksUpdated))
        table.add("nothing new", HumanText.count(job.counts.duplicatesSkipped))
        let setAside = job.counts.rejected > 0 ? try JobLookup.setAside(in: store)[job.id] ?? 0 : 0
        let rejected = job.counts.rejected - setAside
        if rejected > 0 || setAside == 0 { table.add("rejected", HumanText.count(rejected)) }
        if setAside > 0 {
            table.add(
                "set aside", "\(HumanText.count(setAside)), no books: films, deleted ones, a header once more"
            )
        }
        if job.pending > job.decided {
            table.add("pending", "\(HumanText.count(job.pending - job.decided)), a service has not answered")
        }
        if job.decided > 0 {
            table.add("decided", "\(HumanText.count(job.decided)) in a review, not taken up yet")
        }
        table.add("began", Timestamp.withoutFraction(job.startedAt))
        if let ended = job.endedAt { table.add("ended", Timestamp.withoutFraction(ended)) }
        if let failure = job.failure { table.add("failure", failure) }
        try console.write(table)
        return .completed
    }
}
