import FoundationEssentials
import Pipeline
import Syntax

/// `etl doctor`: checks everything that a run depends on.
enum DoctorCommand: Command {
    static let catalog = Option.repeated(
        "catalog", "PATH", "Offline catalog to check", defaultText: "$ETL_CATALOG")

    static let offline = Option.flag("offline", "Do not ask the services")

    static let spec = CommandSpec(
        "doctor", summary: "Check store, catalogs, services, disk space and configuration",
        details: [
            "Shows what is wrong, what to do about it, and where each setting comes from.",
            "Each configured service is asked one harmless question, unless you add --offline.",
        ],
        options: [StoreOptions.db.spec, catalog.spec, offline.spec, StoreOptions.json.spec],
        examples: [
            .init("etl doctor", "Check everything"),
            .init(
                "etl doctor --db ours.sqlite --catalog catalog.sqlite", "Check another store and a catalog"),
            .init("etl doctor --json", "Print JSON"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        var checks = HealthCheck()
        let store = DefaultPaths.store(arguments)
        checks.checkStore(store)
        for path in DefaultPaths.catalogs(arguments[catalog]) { await checks.checkCatalog(path) }
        checks.checkSpace(beside: store)
        checks.checkDefinitions()
        if !arguments[offline] { await checks.askServices() }
        checks.noteEnvironment()
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            checks.write(into: &json, console.words)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
        } else {
            try checks.write(to: console)
        }
        return checks.isHealthy ? .completed : .configuration
    }
}
