import Contract
import Jobs
import Pipeline
import System

/// `etl run`: runs any pipeline definition.
enum RunCommand: Command {
    static let pipeline = Argument.one("PIPELINE.yaml", "Pipeline definition")
    static let files = Argument.many("FILE", "Input files; - is standard input")
    static let set = Option.repeated(
        "set", "PATH=VALUE", "Set a value of the definition, such as stages.LookUpBooks.workers=4")

    static let spec = CommandSpec(
        "run", summary: "Run a pipeline definition",
        details: [
            "The whole definition is checked before anything is read or written. `etl check` only checks it; "
                + "`etl stages` lists the stages and their settings."
        ],
        arguments: [pipeline.spec, files.spec], options: [set.spec] + RunOptions.all,
        showing: [set.spec] + RunOptions.usual,
        examples: [
            .init("etl run Pipelines/csv_import.yaml export.csv", "Do the same as `etl import export.csv`"),
            .init(
                "etl run --set stages.LookUpBooks.workers=4 Pipelines/csv_import.yaml export.csv",
                "Use four workers for one stage"),
            .init(
                "etl run --set providers.openlibrary.baseURL=http://127.0.0.1:9000/openlibrary "
                    + "Pipelines/csv_import.yaml export.csv",
                "Ask a mirror, or `etl fake-providers`, instead of Open Library"),
        ],
        objection: RunOptions.objection)

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let definition = try Definitions.file(arguments[pipeline], overrides: arguments[set])
        guard definition.sink.stage != CatalogBuild.sink else {
            let request = CatalogBuildRequest(
                files: arguments[files], output: nil,
                builtAt: Timestamp.withoutFraction(SystemClock().epochMilliseconds()), definition: definition)
            return try await CatalogSession(arguments: arguments, console: console).run(request)
        }
        if definition.sink.stage == WriteExport.name || definition.source.stage == ReadStore.name {
            return try await ExportSession(arguments: arguments, console: console)
                .run(definition, files: arguments[files], from: arguments[pipeline])
        }
        // Checked after the definition, because errors in the definition come first.
        guard !arguments[files].isEmpty || arguments[RunOptions.job] != nil else {
            throw CommandFailure(
                .usage, "`etl run` needs a FILE for `\(arguments[pipeline])`.",
                advice:
                    "Specify an input file; - is standard input. To continue a job, use `etl resume JOB`.")
        }
        var request = try ImportRequestBuilder.request(files: arguments[files], definition, arguments)
        request.pipelineChoice = .exactly
        return try await ImportSession(
            arguments: arguments, console: console, definition: arguments[pipeline]
        )
        .run(request)
    }
}
