import Contract
import Jobs
import Pipeline
import Queries
import Syntax
import System

/// `etl check`: checks a pipeline definition without running it.
enum CheckCommand: Command {
    static let pipeline = Argument.one("PIPELINE.yaml", "Pipeline definition")
    static let set = RunCommand.set

    static let spec = CommandSpec(
        "check", summary: "Check a pipeline definition without running it",
        details: [
            "Reports all errors at once, each with line and column. If there are none, prints every value that a "
                + "run would use and where it comes from: the file, an option, the environment or a default."
        ],
        arguments: [pipeline.spec], options: [set.spec, StoreOptions.json.spec],
        examples: [
            .init("etl check Pipelines/csv_import.yaml", "Check a definition and show its values"),
            .init("etl check --set run.window=8 Pipelines/csv_import.yaml", "Check it with a changed value"),
            .init("etl check --json Pipelines/csv_import.yaml", "Print the values or the errors as JSON"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let definition: PipelineDefinition
        let plan: Plan
        do {
            definition = try Definitions.load(arguments[pipeline], overrides: arguments[set])
        } catch {
            let all = error.checked(by: BookStages.registry)
            return try refuse(all.problems, CommandFailure(all.failure), arguments, console)
        }
        do {
            plan = try Plan(definition, registry: BookStages.registry)
        } catch {
            return try refuse(error.problems, CommandFailure(error.failure), arguments, console)
        }
        do { _ = try GenreRuleFiles.read(plan) } catch { throw CommandFailure(error) }
        var services = try ServiceSetup()
        services.definedSettings = plan.providers
        // Throws for an environment variable that would stop a run.
        _ = try services.settings(named: nil, isOffline: false, required: nil)
        let configuration = plan.configuration.map { services.effective($0) }
        if arguments[StoreOptions.json] {
            try write(PlanReport(pipeline: definition.name, configuration: configuration), console)
            return .completed
        }
        var table = Table(
            .init("setting", isNeverCut: true), .init("value", wraps: true), .init("origin", wraps: true))
        for value in configuration { table.add(value.path, value.value, value.origin) }
        try console.write(table)
        console.note("\(arguments[pipeline]) is valid.")
        return .completed
    }

    /// Reports what is wrong; with `--json` as a list of problems.
    private static func refuse(
        _ problems: [DefinitionProblem], _ failure: CommandFailure, _ arguments: ParsedArguments,
        _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        guard arguments[StoreOptions.json] else { throw failure }
        try write(PlanReport(pipeline: arguments[pipeline], problems: problems), console)
        return failure.status
    }

    private static func write(_ report: PlanReport, _ console: Console) throws(CommandFailure) {
        try console.writeJSON { report.write(into: &$0) }
    }
}
