import Application
import Pipeline

/// `etl run`: runs any pipeline definition.
enum RunCommand: Command {
    static let pipeline = Argument.one("PIPELINE.yaml", "the pipeline definition")
    static let files = Argument.many("FILE", "its inputs; - is standard input")
    static let set = Option.repeated(
        "set", "PATH=VALUE", "set a value of the definition, such as stages.LookUpBooks.workers=4")

    static let spec = CommandSpec(
        "run", summary: "run a pipeline definition",
        details: [
            "The definition is checked as a whole before anything is read or written. `etl check` "
                + "does that alone, `etl stages` lists the stages and their settings."
        ],
        arguments: [pipeline.spec, files.spec], options: [set.spec] + RunOptions.all,
        examples: [
            .init("etl run Pipelines/csv_import.yaml export.csv", "what `etl import export.csv` does"),
            .init(
                "etl run --set stages.LookUpBooks.workers=4 Pipelines/csv_import.yaml export.csv",
                "the same with four workers at one stage"),
            .init(
                "etl run --set providers.openlibrary.baseURL=http://127.0.0.1:9000/openlibrary "
                    + "Pipelines/csv_import.yaml export.csv",
                "ask a mirror, or `etl fake-providers`, in Open Library's place"),
        ],
        objection: RunOptions.objection)

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let definition = try Definitions.file(arguments[pipeline], overrides: arguments[set])
        guard definition.sink.stage != CatalogBuild.sink else {
            let order = CatalogBuildRequest(
                files: arguments[files], output: nil,
                builtAt: Timestamp.withoutFraction(SystemClock().epochMilliseconds()), definition: definition)
            return try await CatalogSession(arguments: arguments, console: console).run(order)
        }
        // Told once the definition is known to be one: what is wrong with that concerns whoever wrote it.
        guard !arguments[files].isEmpty || arguments[RunOptions.job] != nil else {
            throw CommandFailure(
                .usage, "`etl run` needs a FILE for \(arguments[pipeline]) to read.",
                advice: "Name one; - is standard input. With --job alone it goes on with that job.")
        }
        var order = try ImportRequestBuilder.order(files: arguments[files], definition, arguments)
        order.pipelineChoice = .exactly
        return try await ImportSession(
            arguments: arguments, console: console, definition: arguments[pipeline]
        )
        .run(order)
    }
}
