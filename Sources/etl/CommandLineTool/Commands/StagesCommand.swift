import Contract
import Jobs
import Pipeline
import Syntax
import System

/// `etl stages`: lists the stages of pipeline definitions.
enum StagesCommand: Command {
    static let name = Argument.optional("NAME", "Show only this stage and its settings")

    static let spec = CommandSpec(
        "stages", summary: "List stages and their settings", arguments: [name.spec],
        options: [StoreOptions.json.spec],
        examples: [
            .init("etl stages", "List every source, stage and sink"),
            .init("etl stages LookUpBooks", "Show one stage with its settings, defaults and bounds"),
            .init("etl stages --json", "Print JSON"),
        ], isPaged: true)

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let registry = BookStages.registry
        var factories = registry.factories
        if let name = arguments[name] {
            guard let factory = registry[name] else {
                throw CommandFailure(
                    .usage, "There is no stage `\(name)`.",
                    advice: Spelling.nearest(to: name, among: factories.map(\.name)).map {
                        "Did you mean `\($0)`?"
                    } ?? "`etl stages` lists the stages.")
            }
            factories = [factory]
        }
        if arguments[StoreOptions.json] {
            try console.writeJSON { json in
                json.array { json in for factory in factories { factory.write(into: &json) } }
            }
            return .completed
        }
        var table = Table(
            .init("stage", isNeverCut: true), .init("role"), .init("input", wraps: true),
            .init("output", wraps: true), .init("description", wraps: true))
        for factory in factories {
            table.add(
                factory.name, factory.role.rawValue, factory.inputWords ?? "", factory.outputWords ?? "",
                factory.summary)
        }
        try console.write(listing: table)
        for factory in factories { try write(factory.settings, of: factory.name, console) }
        guard arguments[name] == nil else { return .completed }
        for provider in registry.providers {
            try write(provider.settings, of: "providers.\(provider.name)", console)
        }
        return .completed
    }

    private static func write(
        _ specs: [SettingSpec], of owner: String, _ console: Console
    ) throws(CommandFailure) {
        guard !specs.isEmpty else { return }
        var settings = Table(
            .init("settings of \(owner)", isNeverCut: true), .init("default", wraps: true),
            .init("values", wraps: true), .init("description", wraps: true))
        for spec in specs { settings.add(spec.name, spec.defaultText, spec.kind.words, spec.doc) }
        try console.write("\n")
        try console.write(settings)
    }
}
