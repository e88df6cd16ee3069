import Books
import FoundationEssentials
import Store
import System

/// `etl undo`: undoes jobs.
enum UndoCommand: Command {
    static let jobs = Argument.many("JOB", "Name of a job, or the beginning of its name")
    static let last = Option.flag("last", "Undo the newest job that is not undone yet")
    static let withLater = Option.flag("with-later", "Also undo the later jobs that built on it")
    static let dryRun = Option.flag("dry-run", short: "n", "Show what would change; change nothing")

    static let spec = CommandSpec(
        "undo", summary: "Undo a job: the library is as it was before",
        details: [
            "Deletes what the job created, and restores what it changed or deleted. Nothing happens if a later job "
                + "built on it: the later jobs are named, and the exit status is 5. Later jobs about other books do not "
                + "matter.",
            "An undo is a separate job. Undo the undo to restore everything. Cached answers of services stay, so "
                + "importing the file again asks no service.",
        ],
        arguments: [jobs.spec],
        options: [last.spec, withLater.spec, dryRun.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl undo --last", "Undo the newest job"),
            .init("etl undo --dry-run spring-import", "Show what undoing this job would change"),
            .init("etl undo --with-later spring-import", "Undo a job, and those that built on it"),
        ],
        objection: { arguments in
            if arguments[last], !arguments[jobs].isEmpty {
                return Objection("`--last` and a job exclude each other.", advice: "Leave out one of them.")
            }
            return arguments[last] || !arguments[jobs].isEmpty
                ? nil : .needs("etl undo", "the name of a job, or `--last`")
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let names = arguments[last] ? [try newest(in: store)] : arguments[jobs]
        let change: LibraryChange
        if arguments[dryRun] {
            do throws(ETLError) {
                change = try UndoPreview.change(
                    undoing: names, withLater: arguments[withLater], in: store)
            } catch {
                throw CommandFailure(error)
            }
        } else {
            let request = UndoRequest(
                jobs: names, withLater: arguments[withLater], name: UUID().uuidString.lowercased())
            change = try await ChangedStore.change(store) { (results) throws(ETLError) in
                try await results.undo(request)
            }
        }
        try ChangeReport(change, store: store).write(asJSON: arguments[StoreOptions.json], to: console)
        return .completed
    }

    /// The newest job whose effect is in the library. An undo is none: undoing it would repeat the job.
    private static func newest(in store: String) throws(CommandFailure) -> String {
        let jobs = try JobLookup.all(in: store)
        guard let job = jobs.first(where: { $0.undoneBy == nil && !$0.isUndo && $0.changesLibrary }) else {
            throw CommandFailure(
                .missing, "`\(store)` has no job to undo.",
                advice: "\(UserCommand.jobs) lists its jobs.")
        }
        return job.name
    }
}
