import Application
import Books
import Pipeline
import Services
import Syntax

/// `etl cache`: the answers of services that a store keeps.
enum CacheCommand: Command {
    static let service = Argument.optional("SERVICE", "answers of this one alone: openlibrary, wikidata …")
    static let file = Argument.one("FILE", "what `etl cache export` wrote; - is standard input")
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

    static let export = CommandSpec(
        "cache", "export", summary: "write the answers to standard output, a line of JSON each",
        details: ["`etl cache import` takes them into another store, which then asks nobody for them."],
        arguments: [service.spec], options: [StoreOptions.db.spec],
        examples: [
            .init("etl cache export > answers.ndjson", "all answers of library.sqlite"),
            .init("etl cache export openlibrary | gzip > answers.ndjson.gz", "one service's, packed"),
            .init("etl cache export --db ours.sqlite", "those of another store"),
        ])
    static let intake = CommandSpec(
        "cache", "import", summary: "take in answers that `etl cache export` wrote",
        details: [
            "Of two answers to one question the newer one stays. They keep their age: what is too old is "
                + "asked for again. Where a line is none of these nothing is taken."
        ],
        arguments: [file.spec], options: [StoreOptions.db.spec],
        examples: [
            .init("etl cache import answers.ndjson", "into library.sqlite, which is made if it is not there"),
            .init("etl cache import answers.ndjson.gz --db ours.sqlite", "packed, into another store"),
            .init("etl cache export --db a.sqlite | etl cache import --db b.sqlite -", "from store to store"),
        ])

    static let spec = CommandSpec(
        "cache", summary: "look at the answers of services that a store keeps, drop or hand them on",
        examples: [
            .init("etl cache info", "how many, of whom, how old"),
            .init("etl cache purge --stale", "drop those that are too old"),
            .init("etl cache export > answers.ndjson", "hand them on"),
        ],
        subcommands: [describe, purge, export, intake])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let command = arguments.command.last
        if command == "export" || command == "purge" { try checkService(arguments[service], of: store) }
        switch command {
        case "export":
            let service = arguments[service]
            _ = try StoreOutput.write(store, console) { (connection, sink) throws(StageFailure) in
                try AnswerExport(connection).write(service: service, to: sink)
            }
            return .completed
        case "import":
            try take(arguments[file], into: store, console)
            return .completed
        default: return try look(at: store, arguments, console)
        }
    }

    /// Refuses the name of a service that there is not, and of which nothing is kept.
    private static func checkService(_ name: String?, of store: String) throws(CommandFailure) {
        var known = ServiceDefinition.all.map(\.name)
        guard let name, !known.contains(name) else { return }
        do throws(StageFailure) {
            let kept = try CachedAnswers.summaries(store, now: 0).map(\.service)
            known += Set(kept).subtracting(known).sorted()
        } catch {
            throw CommandFailure(error)
        }
        guard !known.contains(name) else { return }
        throw CommandFailure(
            .usage, "There is no service \(name).",
            advice: Spelling.advice(for: name, among: known, called: "Services").map { UserText($0) })
    }

    private static func take(
        _ name: String, into store: String, _ console: Console
    ) throws(CommandFailure) {
        let path = try ImportRequestBuilder.file(name)
        defer { ImportRequestBuilder.removeSpool(path, of: name) }
        do throws(StageFailure) {
            let tally = try AnswerImport.take(path, into: store, readBy: ServiceDefinition.all.map(\.reader))
            console.note(
                "\(HumanText.count(tally.taken, "answer")) taken; \(HumanText.count(tally.known)) known already."
            )
        } catch {
            throw CommandFailure(error, inputs: [name])
        }
    }

    private static func look(
        at store: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let now = SystemClock().epochMilliseconds()
        let summaries: [CachedAnswers.Summary]
        do throws(StageFailure) {
            if arguments.command.last == "purge" {
                let dropped = try CachedAnswers.purge(
                    store, service: arguments[service], onlyStale: arguments[stale], now: now)
                console.note("\(HumanText.count(dropped, "answer")) dropped.")
                return .completed
            }
            summaries = try CachedAnswers.summaries(store, now: now)
        } catch {
            throw CommandFailure(error)
        }
        return try write(summaries, arguments, console)
    }

    private static func write(
        _ services: [CachedAnswers.Summary], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            CachedAnswers.write(services, into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
            return .completed
        }
        guard !services.isEmpty else {
            console.note("The store keeps no answers of services.")
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
