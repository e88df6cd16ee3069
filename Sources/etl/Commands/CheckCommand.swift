import Application
import Pipeline
import Syntax

/// `etl check`: checks a pipeline definition without running it.
enum CheckCommand: Command {
    static let pipeline = Argument.one("PIPELINE.yaml", "the pipeline definition")
    static let set = RunCommand.set

    static let spec = CommandSpec(
        "check", summary: "check a pipeline definition without running it",
        details: [
            "Tells all mistakes at once, each with line and column. Where there are none, prints "
                + "every value the run would go by, and who said it: the file, an option, the environment "
                + "or a default."
        ],
        arguments: [pipeline.spec], options: [set.spec, StoreOptions.json.spec],
        examples: [
            .init("etl check Pipelines/csv_import.yaml", "is it right, and what would it do?"),
            .init("etl check --set run.window=8 Pipelines/csv_import.yaml", "the same with a value changed"),
            .init("etl check --json Pipelines/csv_import.yaml", "the configuration or the mistakes as JSON"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let definition: PipelineDefinition
        let plan: Plan
        do {
            definition = try Definitions.load(arguments[pipeline], overrides: arguments[set])
        } catch {
            let all = error.judged(by: BookStages.registry(.none))
            return try refuse(all.problems, CommandFailure(all.failure), arguments, console)
        }
        do {
            plan = try Plan(definition, registry: BookStages.registry(.none))
        } catch {
            return try refuse(error.problems, CommandFailure(error.failure), arguments, console)
        }
        var services = try ServiceSetup()
        services.providerSettings = plan.providers
        // What a run could not read of the environment is told here too.
        _ = try services.settings(named: nil, isOffline: false, required: nil)
        let configuration = plan.configuration.map { services.inForce($0) }
        if arguments[StoreOptions.json] {
            try write(PlanReport(pipeline: definition.name, configuration: configuration), console)
            return .completed
        }
        var table = Table(.init("value"), .init(""), .init("from"))
        for value in configuration { table.add(value.path, value.value, value.origin) }
        try console.write(table)
        console.note("\(arguments[pipeline]) can be run.")
        return .completed
    }

    /// Tells what is wrong, each mistake for itself where JSON was asked for.
    private static func refuse(
        _ problems: [DefinitionProblem], _ failure: CommandFailure, _ arguments: ParsedArguments,
        _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        guard arguments[StoreOptions.json] else { throw failure }
        try write(PlanReport(pipeline: arguments[pipeline], problems: problems), console)
        return failure.status
    }

    private static func write(_ report: PlanReport, _ console: Console) throws(CommandFailure) {
        var json = JSONWriter()
        report.write(into: &json)
        try console.write(json.bytes + [UInt8(ascii: "\n")])
    }
}
