import FoundationEssentials
import Pipeline
import System

/// `etl import`: runs the `csv_import` pipeline on library exports.
enum ImportCommand: Command {
    static let files = Argument.many("FILE", "Library exports; - is standard input")
    static let rejects = Option(
        Setting<String?>.text("rejects", "Import corrected rows of the job named by --job"), "FILE")
    static let show = Option.parsed(
        "show", "changes", mustBe: "changes", of: ["changes"],
        "With --dry-run: print what each row would create and change, each field before and after, instead of the report; with --json, one object per row",
        parse: { $0 == "changes" ? $0 : nil })
    static let spec = CommandSpec(
        "import", summary: "Import library exports into a store",
        details: [
            "Reads exports of Goodreads and other programs, checks and repairs ISBNs, looks the books up, merges the "
                + "results and stores them in one SQLite file. After an interruption, the same command continues "
                + "where the run stopped. Importing a file again is safe. A run continues when its terminal is "
                + "closed (SIGHUP); `etl status` shows its result.",
            "Rejected rows are kept with their reasons; `etl errors` lists them. `etl errors --to csv` writes "
                + "them as a table. Correct it, and import it with --rejects and --job. Rows that are correct now are "
                + "imported in their original places; the others stay rejected. If dates in the table are "
                + "ambiguous, specify the order with --dates.",
            "A FILE can be another store. Its entries are imported with their readings, shelves, reviews and notes.",
            "With --join, books that the library has from another program become one entry, without losing a reading, "
                + "rating, review or shelf. It is part of the job, so `etl undo` undoes it too. Pairs that are not "
                + "certain stay; `etl duplicates --all` lists them.",
        ],
        arguments: [files.spec], options: [RunOptions.join.spec, rejects.spec, show.spec] + RunOptions.all,
        showing: [RunOptions.join.spec, rejects.spec, ReadOptions.format.spec] + RunOptions.usual,
        examples: [
            .init("etl import goodreads_library_export.csv", "Import a Goodreads export into library.sqlite"),
            .init(
                "etl import --db ours.sqlite --library anna --strict anna.csv",
                "Import into the library “anna” of another store; exit with 3 if a row is rejected"),
            .init(
                "etl import --rejects corrections.csv --job spring-import",
                "Import corrected rows that `etl errors --to csv spring-import` wrote"),
        ]
    ) { arguments in
        if let objection = RunOptions.objection(arguments) { return objection }
        if arguments[show] != nil {
            if !arguments[RunOptions.dryRun] {
                return Objection(
                    "`--show` needs `--dry-run`.", advice: "`etl diff` shows what an import has changed.")
            }
            if arguments[RunOptions.events] == "-" {
                return Objection(
                    "`--events -` and `--show` both write to standard output.",
                    advice: "Leave out one of them.")
            }
        }
        guard arguments[rejects] != nil else {
            return arguments[files].isEmpty ? .needs("etl import", "a FILE") : nil
        }
        if !arguments[files].isEmpty {
            return Objection(
                "`--rejects` already names the file to import.", advice: "Leave out `\(arguments[files][0])`."
            )
        }
        if arguments[RunOptions.maxErrors] != nil {
            return Objection(
                "`--max-errors` does not apply to corrected rows (`--rejects`).", advice: "Leave it out.")
        }
        if arguments[RunOptions.restart] {
            return Objection(
                "`--rejects` and `--restart` cannot be combined.", advice: "Leave out one of them.")
        }
        return arguments[RunOptions.job] == nil
            ? Objection(
                "`--rejects` needs `--job`.",
                advice: "Specify the job that the corrected rows belong to; `etl jobs` lists the jobs.")
            : nil
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let definition = try Definitions.csvImport()
        if let list = arguments[rejects] {
            return try await importCorrections(list, definition, arguments, console)
        }
        let request = try ImportRequestBuilder.request(files: arguments[files], definition, arguments)
        return try await session(arguments, console).run(request)
    }

    private static func session(_ arguments: ParsedArguments, _ console: Console) -> ImportSession {
        var session = ImportSession(arguments: arguments, console: console)
        guard arguments[show] != nil else { return session }
        session.showChanges = { (job, store) throws(CommandFailure) in
            try PreviewTable.write(of: job, in: store, asJSON: arguments[RunOptions.json], console)
        }
        return session
    }

    private static func importCorrections(
        _ list: String, _ definition: PipelineDefinition, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let path = try ImportRequestBuilder.file(list)
        defer { ImportRequestBuilder.removeSpool(path, of: list) }
        let request = try ImportRequestBuilder.corrections(path, definition, arguments)
        return try await session(arguments, console).run(request, inputs: [list])
    }
}
