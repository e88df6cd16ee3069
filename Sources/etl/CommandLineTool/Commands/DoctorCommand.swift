import Contract
import FoundationEssentials
import Jobs
import Queries
import Store
import Syntax
import System

/// `etl doctor`: checks everything that a run depends on.
enum DoctorCommand: Command {
    static let catalog = Option.repeated(
        "catalog", "PATH", "Offline catalog to check", defaultText: "$ETL_CATALOG")

    static let offline = Option.flag("offline", "Do not ask the services")

    static let prune = Option.flag(
        "prune",
        "Delete from the store what only `etl undo`, `etl log` and `etl diff` need, and expired answers")

    static let settings = Option.flag("settings", "Also show each setting, its value and its origin")

    static let repair = Option.flag(
        "repair", "Remove books without a title that look-ups of earlier versions have left in the store")

    private static let defaultDays = 90
    private static let maxDays = 36_500

    static let olderThan = Option.parsed(
        "older-than", "DAYS", mustBe: "a number of days from 0 to \(maxDays)",
        "With --prune: keep the history of jobs that ended in the last DAYS days",
        defaultText: "\(defaultDays)",
        parse: { text in Int(text).flatMap { (0...maxDays).contains($0) ? $0 : nil } })

    static let spec = CommandSpec(
        "doctor", summary: "Check store, catalogs, services, disk space and configuration",
        details: [
            "Shows what is wrong and what to do about it; with --settings also where each setting comes from.",
            "Each configured service is asked one harmless question, unless you add --offline.",
            "With --repair, checks nothing. `etl undo` brings back what it removes.",
            "With --prune, checks nothing. Jobs older than --older-than can then no longer be undone; the library stays as "
                + "it is.",
        ],
        options: [
            StoreOptions.db.spec, catalog.spec, offline.spec, settings.spec, repair.spec, prune.spec,
            olderThan.spec,
            StoreOptions.json.spec,
        ],
        examples: [
            .init("etl doctor", "Check everything"),
            .init(
                "etl doctor --db ours.sqlite --catalog catalog.sqlite", "Check another store and a catalog"),
            .init("etl doctor --prune --older-than 365", "Keep the history of one year"),
        ],
        objection: { arguments in
            if arguments[repair], arguments[prune] {
                return Objection(
                    "`--repair` and `--prune` cannot be combined.", advice: "Run one after the other.")
            }
            return arguments.isExplicit(olderThan) && !arguments[prune]
                ? Objection("`--older-than` needs `--prune`.", advice: "Add --prune, or leave it out.") : nil
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        if arguments[prune] { return try pruned(store, arguments, console) }
        if arguments[repair] { return try await repaired(store, arguments, console) }
        var checks = HealthCheck()
        checks.checkStore(store)
        for path in DefaultPaths.catalogs(arguments[catalog]) { await checks.checkCatalog(path) }
        checks.checkSpace(beside: store)
        checks.checkDefinitions()
        if !arguments[offline] { await checks.askServices() }
        checks.noteEnvironment()
        if arguments[StoreOptions.json] {
            try console.writeJSON { checks.write(into: &$0, console.words) }
        } else {
            try checks.write(withSettings: arguments[settings], to: console)
        }
        return checks.isHealthy ? .completed : .configuration
    }

    private static func repaired(
        _ store: String, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let name = JobName.make()
        let change = try await ChangedStore.change(store) { (store) throws(ETLError) in
            try await store.removeUntitled(as: name)
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { RepairReport(change).write(into: &$0) }
        } else if let change {
            try ChangeReport(change, store: store, removing: .untitled).write(asJSON: false, to: console)
        } else {
            try console.writeText("No look-up has left a book without a title.")
        }
        return .completed
    }

    private static func pruned(
        _ store: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let days = Int64(arguments[olderThan] ?? defaultDays)
        let pruning: Pruning
        do throws(ETLError) {
            pruning = try Pruning(
                of: store, olderThan: days * 86_400_000, now: SystemClock().epochMilliseconds(),
                waiting: console.lockWaitPolicy)
            if pruning.forgets {
                try BookSearch.clearIndex(of: store)
                try StoreVectors.removeGone(of: store)
            }
        } catch {
            throw CommandFailure(error)
        }
        if pruning.isInLog {
            console.note(
                "Another program is reading `\(store)`, so what was deleted is still in `\(StorePath.real(store))-wal`. Run `etl doctor --prune` again when it has ended."
            )
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { pruning.write(into: &$0) }
            return .completed
        }
        var table = Table(.init("deleted", isNeverCut: true), .init("", .right), .init("", wraps: true))
        table.add(
            "kept rows", HumanText.count(pruning.images),
            pruning.jobs.isEmpty ? "" : "can no longer be undone: \(pruning.jobs.joined(separator: ", "))")
        table.add(
            "undone jobs", HumanText.count(pruning.undoneJobs.count),
            pruning.undoneJobs.isEmpty
                ? "" : "can no longer be restored: \(pruning.undoneJobs.joined(separator: ", "))")
        table.add(
            "finished jobs", HumanText.count(pruning.finishedJobs.count), "refreshes, corrections and undos")
        table.add("expired answers", HumanText.count(pruning.answers), "")
        try console.write(table)
        if pruning.shortenedBytes > 0 {
            try console.writeText("\n`\(store)` is \(HumanText.bytes(Int(pruning.shortenedBytes))) smaller.")
        }
        return .completed
    }
}
