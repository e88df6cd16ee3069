import Contract
import Store
import Syntax
import System

/// `etl jobs`: lists the jobs of a store.
enum JobsCommand: Command {
    static let spec = CommandSpec(
        "jobs", summary: "List the jobs of a store", options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl jobs", "List the jobs in library.sqlite, the newest first"),
            .init("etl jobs --db ours.sqlite", "List the jobs of another store"),
            .init("etl jobs --json", "Print JSON"),
        ], isPaged: true)

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let jobs = try JobLookup.all(in: store)
        let running = JobLookup.running(among: jobs, in: store)
        if arguments[StoreOptions.json] {
            try console.writeJSON { json in
                json.array { json in
                    for job in jobs {
                        JobLookup.status(of: job, running: running, in: store).write(into: &json)
                    }
                }
            }
            return .completed
        }
        guard !jobs.isEmpty else {
            console.note("`\(store)` has no jobs yet.")
            return .completed
        }
        let setAside = jobs.contains { $0.counts.rejected > 0 } ? try JobLookup.setAside(in: store) : [:]
        var table = Table(
            .init("job", isNeverCut: true), .init("status", isNeverCut: true),
            .init("started", isNeverCut: true),
            .init("records", .right), .init("pending", .right), .init("rejected", .right),
            .init("set aside", .right), .init("library", isNeverCut: true), .init("input", isNeverCut: true))
        for job in jobs {
            let aside = setAside[job.id] ?? 0
            table.add(
                job.shortName, JobLookup.statusText(of: job, running: running, isShort: true),
                String(Timestamp.withoutFraction(job.startedAt)),
                HumanText.count(job.counts.totalProcessed), HumanText.count(job.pending),
                HumanText.count(job.counts.rejected - aside), HumanText.count(aside), job.library,
                JobLookup.inputs(of: job))
        }
        try console.write(listing: table)
        return .completed
    }
}
