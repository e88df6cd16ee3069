import Foundation
import Pipeline

/// `etl import`: runs the `csv_import` pipeline on library exports.
enum ImportCommand: Command {
    static let files = Argument.many("FILE", "library exports; - is standard input")
    static let rejects = Option(
        Setting<String?>.text("rejects", "mended list of the errors of the job that --job names"), "FILE")
    static let spec = CommandSpec(
        "import", summary: "import library exports into the results store",
        details: [
            "Reads exports of Goodreads and others, checks and repairs ISBNs, looks the books up, "
                + "merges what is found and keeps it in one SQLite file. The same command again goes on "
                + "where a stopped run ended; the same file again changes nothing. A run goes on when its "
                + "terminal is closed (SIGHUP): `etl status` tells what came of it.",
            "Rows that cannot be imported are kept, each with its reason: `etl errors` lists them. Its "
                + "`--format csv` gives them as a table; mend it and give it back with --rejects and --job: "
                + "what is right then is imported in its old place, what is still wrong stays rejected. Where the "
                + "list's dates may be read in two ways, --dates says in which.",
        ],
        arguments: [files.spec], options: [rejects.spec] + RunOptions.all,
        examples: [
            .init("etl import goodreads_library_export.csv", "import a Goodreads export into library.sqlite"),
            .init(
                "etl import --db ours.sqlite --library anna --strict anna.csv",
                "import into a shared store as Anna's; exit 3 when a row was rejected"),
            .init(
                "etl import --rejects mend.csv --job spring-import",
                "import what `etl errors --format csv spring-import` listed, now mended"),
        ]
    ) { arguments in
        if let objection = RunOptions.objection(arguments) { return objection }
        guard arguments[rejects] != nil else {
            return arguments[files].isEmpty ? "`etl import` needs a FILE." : nil
        }
        if !arguments[files].isEmpty {
            return "`--rejects` is read in place of a FILE: leave out \(arguments[files][0])."
        }
        if arguments[RunOptions.maxErrors] != nil {
            return "`--max-errors` ends a run over whole files: leave it out with `--rejects`."
        }
        if arguments[RunOptions.restart] { return "`--rejects` mends a job and `--restart` begins anew." }
        return arguments[RunOptions.job] == nil
            ? "`--rejects` needs `--job`, the job whose errors the list holds." : nil
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let definition = try Definitions.csvImport()
        if let list = arguments[rejects] {
            return try await importCorrections(list, definition, arguments, console)
        }
        let order = try ImportRequestBuilder.order(files: arguments[files], definition, arguments)
        return try await ImportSession(arguments: arguments, console: console).run(order)
    }

    private static func importCorrections(
        _ list: String, _ definition: PipelineDefinition, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let path = try ImportRequestBuilder.file(list)
        defer { ImportRequestBuilder.removeSpool(path, of: list) }
        let order = try ImportRequestBuilder.corrections(path, definition, arguments)
        return try await ImportSession(arguments: arguments, console: console).run(order, inputs: [list])
    }
}
