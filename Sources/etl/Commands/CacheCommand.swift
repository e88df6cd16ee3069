import Pipeline
import Stages

/// `etl cache`: the answers of services that a store keeps.
enum CacheCommand: Command {
    static let service = Argument.optional("SERVICE", "answers of this one alone: openlibrary, wikidata …")
    static let stale = Option.flag("stale", "only answers that are too old to be used without asking again")

    static let describe = CommandSpec(
        "cache", "info", summary: "how many answers are kept of each service, and how old they are",
        options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl cache info", "what library.sqlite keeps"),
            .init("etl cache info --db ours.sqlite", "what another store keeps"),
            .init("etl cache info --json", "the same as JSON"),
        ])
    static let purge = CommandSpec(
        "cache", "purge", summary: "drop answers: the next look-up asks again",
        details: ["Books stay as they are: only what services said is forgotten."],
        arguments: [service.spec], options: [StoreOptions.db.spec, stale.spec],
        examples: [
            .init("etl cache purge", "drop all answers"),
            .init("etl cache purge --stale", "drop those that are too old"),
            .init("etl cache purge wikidata", "drop one service's"),
        ])

    static let spec = CommandSpec(
        "cache", summary: "look at the answers of services that a store keeps, or drop them",
        examples: [
            .init("etl cache info", "how many, of whom, how old"),
            .init("etl cache purge --stale", "drop those that are too old"),
            .init("etl cache purge openlibrary", "drop one service's"),
        ],
        subcommands: [describe, purge])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = Places.store(arguments)
        let now = SystemClock().epochMilliseconds()
        let summaries: [KeptAnswers.Summary]
        do throws(StageFailure) {
            if arguments.command.last == "purge" {
                let dropped = try KeptAnswers.purge(
                    store, service: arguments[service], onlyStale: arguments[stale], now: now)
                console.note("\(HumanText.count(dropped, "answer")) dropped.")
                return .completed
            }
            summaries = try KeptAnswers.summaries(store, now: now)
        } catch {
            throw CommandFailure(error)
        }
        return try write(summaries, arguments, console)
    }

    private static func write(
        _ services: [KeptAnswers.Summary], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            json.array { json in for service in services { service.write(into: &json) } }
            try console.write(json.bytes + [UInt8(ascii: "\n")])
            return .completed
        }
        var table = Table(
            .init("service"), .init("found", .right), .init("not found", .right), .init("stale", .right),
            .init("size", .right), .init("oldest", .right))
        for service in services {
            table.add(
                service.service, HumanText.count(service.found), HumanText.count(service.notFound),
                HumanText.count(service.stale), HumanText.bytes(service.bytes),
                HumanText.duration(seconds: Double(service.oldestMilliseconds) / 1_000))
        }
        try console.write(table)
        return .completed
    }
}
