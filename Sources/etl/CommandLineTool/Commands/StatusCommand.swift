import Contract
import Store
import Syntax
import System

/// `etl status`: shows the state and progress of a job.
enum StatusCommand: Command {
    static let job = StoreOptions.jobArgument

    static let spec = CommandSpec(
        "status", summary: "Show the state and progress of a job", arguments: [job.spec],
        options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl status", "Show the newest job"),
            .init("etl status spring-import", "Show the job with this name"),
            .init("etl status --json spring-import", "Print JSON"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        guard let job = try JobLookup.find(arguments[job], in: store) else {
            throw CommandFailure(.missing, "`\(store)` has no jobs yet.", advice: "Import a file first.")
        }
        let running = JobLookup.running(among: try JobLookup.all(in: store), in: store)
        let status = JobLookup.status(of: job, running: running, in: store)
        if arguments[StoreOptions.json] {
            var status = status
            if job.status == .completed { status.quality = try JobLookup.quality(of: job, in: store) }
            try console.writeJSON { status.write(into: &$0) }
            return .completed
        }
        var list = DefinitionList()
        list.add("job", job.shortName == job.name ? job.name : "\(job.shortName), \(job.name)")
        list.add("status", JobLookup.statusText(of: job, running: running))
        list.add("pipeline", job.pipeline)
        list.add("library", job.library)
        list.add("input", JobLookup.inputs(of: job))
        let total = job.totalCount.map { " of \(HumanText.count($0))" } ?? ""
        list.add(
            "records",
            "\(HumanText.count(status.progress.processedCount))\(total), \(HumanText.percent(status.fraction))"
        )
        if let seconds = status.secondsLeft {
            list.add("time left", "about \(HumanText.duration(seconds: Double(seconds)))")
        }
        list.add("created", HumanText.count(job.counts.booksCreated))
        list.add("updated", HumanText.count(job.counts.booksUpdated))
        list.add("unchanged", HumanText.count(job.counts.duplicatesSkipped))
        let setAside = job.counts.rejected > 0 ? try JobLookup.setAside(in: store)[job.id] ?? 0 : 0
        let rejected = job.counts.rejected - setAside
        if rejected > 0 || setAside == 0 { list.add("rejected", HumanText.count(rejected)) }
        if setAside > 0 {
            list.add("set aside", "\(HumanText.count(setAside)) (\(ClosingReport.setAsideMeaning))")
        }
        if job.pending > job.decided {
            list.add("pending", "\(HumanText.count(job.pending - job.decided)) (a service has not answered)")
        }
        if job.decided > 0 {
            list.add("decided", "\(HumanText.count(job.decided)) (in a review, not applied yet)")
        }
        list.add("started", Timestamp.withoutFraction(job.startedAt))
        if let ended = job.endedAt { list.add("ended", Timestamp.withoutFraction(ended)) }
        if let failure = job.failure { list.add("failure", SpoolName.replaced(in: failure)) }
        try console.write(list)
        return .completed
    }
}
