import Queries
import Store
import System

/// `etl diff`: shows what jobs have changed in the library.
enum DiffCommand: Command {
    static let jobs = Argument.many(
        "JOB",
        "Name of the job, or the beginning of its name (default: the newest job that changed the "
            + "library), and of a second one")
    static let format = ErrorsCommand.format
    static let all = Option.flag("all", "List every change, however many there are")

    static let spec = CommandSpec(
        "diff", summary: "Show what a job changed: each field before and after",
        details: [
            "Lists the works, editions, entries and authors that the job created, changed, merged or removed, with the "
                + "source of each new value. For an import, it also lists the entries of the library that the export no "
                + "longer has (`missing`).",
            "Of more than 20 changes, prints a summary: how many rows were created and how often each field changed. "
                + "--all prints the list.",
            "With two jobs, compares the library as it was after the first one with the library after the second one. "
                + "An undone job still shows what it had changed.",
        ],
        arguments: [jobs.spec],
        options: [
            all.spec, format.spec, ExportCommand.safe.spec, StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init("etl diff", "Show the newest change of the library"),
            .init("etl diff january february", "Compare the library after two jobs"),
            .init(
                "etl diff --to csv spring-import > changes.csv", "Write all changes, one line per field"),
        ], isPaged: true,
        objection: { arguments in
            if arguments[jobs].count > 2 {
                return Objection("`etl diff` compares at most two jobs.", advice: "Leave out the others.")
            }
            return StoreOptions.objection(arguments, to: format, besides: .json)
                ?? ExportCommand.safeObjection(arguments, isCSV: arguments[format] == .csv)
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let names = arguments[jobs]
        let format = arguments[StoreOptions.json] ? ErrorsCommand.Format.json : arguments[format]
        let isSafe = arguments[ExportCommand.safe]
        var report = DifferenceReport()
        let shown = try StoreOutput.write(store, console) {
            (connection, sink) throws(ETLError) -> [Job] in
            let difference = try LibraryDifference(connection, of: names.first, with: names.dropFirst().first)
            if let format = LibraryDifference.Format(rawValue: format.rawValue) {
                try difference.write(as: format, guardsFormulas: isSafe, to: sink)
            } else {
                try difference.visit { report.add($0) }
            }
            return difference.jobs
        }
        if format == .table { try report.write(of: shown, isWhole: arguments[all], to: console) }
        return .completed
    }
}
