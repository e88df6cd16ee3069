import Foundation
import Pipeline
import Stages

/// `etl import`: runs the `csv_import` pipeline on library exports.
enum ImportCommand: Command {
    static let files = Argument.many("FILE", "library exports; - is standard input")
    static let spec = CommandSpec(
        "import", summary: "import library exports into the results store",
        details: [
            "Reads exports of Goodreads and others, checks and repairs ISBNs, looks the books up, "
                + "merges what is found and keeps it in one SQLite file. The same command again goes on "
                + "where a stopped run ended; the same file again changes nothing.",
            "Rows that cannot be imported are kept, each with its reason: `etl errors` lists them.",
        ],
        arguments: [files.spec], options: RunOptions.all,
        examples: [
            .init("etl import goodreads_library_export.csv", "import a Goodreads export into library.sqlite"),
            .init(
                "etl import --db ours.sqlite --library anna --strict anna.csv",
                "import into a shared store as Anna's; exit 3 when a row was rejected"),
            .init(
                "etl import --catalog catalog.sqlite --offline - < export.csv",
                "read standard input and ask the offline catalog only"),
        ]
    ) { arguments in
        guard !arguments[files].isEmpty else { return "`etl import` needs a FILE." }
        return RunOptions.objection(arguments)
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let definition = try Definitions.csvImport()
        let order = try Orders.order(files: arguments[files], definition, arguments)
        return try await ImportSession(arguments: arguments, console: console).run(order)
    }
}
