import Contract
import Jobs
import Pipeline
import Queries
import Sources
import Store
import Syntax
import System

/// `etl cache`: the cached answers of services in a store.
enum CacheCommand: Command {
    static let service = Argument.optional(
        "SERVICE",
        "Only the answers of this service: \(ServiceDefinition.all.map(\.name).joined(separator: ", "))")
    static let file = Argument.one("FILE", "File that `etl cache export` wrote; - is standard input")
    static let stale = Option.flag("stale", "Delete only expired answers")
    static let all = Option.flag("all", "Delete the answers of all services")

    static let describe = CommandSpec(
        "cache", "info", summary: "Show how many answers of each service are cached, and how old they are",
        options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl cache info", "Show the cached answers in library.sqlite"),
            .init("etl cache info --db ours.sqlite", "Show the cached answers in another store"),
            .init("etl cache info --json", "Print JSON"),
        ])
    static let purge = CommandSpec(
        "cache", "purge", summary: "Delete cached answers, so that services are asked again",
        details: ["Books do not change. Only the answers of services are deleted."],
        arguments: [service.spec],
        options: [StoreOptions.db.spec, stale.spec, all.spec, StoreOptions.json.spec],
        examples: [
            .init("etl cache purge --stale", "Delete expired answers"),
            .init("etl cache purge wikidata", "Delete the answers of one service"),
            .init("etl cache purge --all", "Delete all answers"),
        ],
        objection: { arguments in
            let isAll = arguments[all]
            if isAll, arguments[service] != nil {
                return Objection(
                    "`--all` and a service exclude each other.", advice: "Leave out one of them.")
            }
            guard !isAll, !arguments[stale], arguments[service] == nil else { return nil }
            return Objection(
                "`etl cache purge` needs to know what to delete.",
                advice:
                    "Specify a service, --stale for expired answers, or --all. Services may limit how many "
                    + "answers you can request again each day.")
        })

    static let export = CommandSpec(
        "cache", "export", summary: "Write cached answers to standard output as JSON lines",
        details: [
            "`etl cache import` copies them into another store, so that imports there do not request them again."
        ],
        arguments: [service.spec], options: [StoreOptions.db.spec],
        examples: [
            .init("etl cache export > answers.ndjson", "Export all answers in library.sqlite"),
            .init(
                "etl cache export openlibrary | gzip > answers.ndjson.gz",
                "Export and compress the answers of one service"),
            .init("etl cache export --db ours.sqlite", "Export the answers of another store"),
        ])
    static let intake = CommandSpec(
        "cache", "import", summary: "Import answers that `etl cache export` wrote",
        details: [
            "If the store already has an answer to a question, the newer one is kept. Answers keep their age; "
                + "expired ones are requested again. If a line is not a valid answer, nothing is imported."
        ],
        arguments: [file.spec], options: [StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl cache import answers.ndjson", "Import into library.sqlite, creating it if necessary"),
            .init(
                "etl cache import --db ours.sqlite answers.ndjson.gz", "Import a gzip file into another store"
            ),
            .init(
                "etl cache export --db a.sqlite | etl cache import --db b.sqlite -",
                "Copy answers from store to store"),
        ])

    static let spec = CommandSpec(
        "cache", summary: "Show, delete, export and import cached answers of services",
        examples: [
            .init("etl cache info", "Show the number and age of cached answers"),
            .init("etl cache purge --stale", "Delete expired answers"),
            .init("etl cache export > answers.ndjson", "Export the answers for another store"),
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
            _ = try StoreOutput.write(store, console) { (connection, sink) throws(ETLError) in
                try AnswerExport(connection).write(service: service, to: sink)
            }
            return .completed
        case "import":
            let report = try take(arguments[file], into: store, console)
            if arguments[StoreOptions.json] { try console.writeJSON { report.write(into: &$0) } }
            return .completed
        default: return try look(at: store, arguments, console)
        }
    }

    /// Throws if a name is neither that of a known service nor of one with cached answers.
    private static func checkService(_ name: String?, of store: String) throws(CommandFailure) {
        var known = ServiceDefinition.all.map(\.name)
        guard let name, !known.contains(name) else { return }
        do throws(ETLError) {
            let cached = try CachedAnswers.reports(store, now: 0).map(\.service)
            known += Set(cached).subtracting(known).sorted()
        } catch {
            throw CommandFailure(error)
        }
        guard !known.contains(name) else { return }
        throw CommandFailure(
            .usage, "There is no service `\(name)`.",
            advice: Spelling.advice(for: name, among: known, called: "Services").map { UserText($0) })
    }

    private static func take(
        _ name: String, into store: String, _ console: Console
    ) throws(CommandFailure) -> CachedAnswersReport {
        let path = try ImportRequestBuilder.file(name)
        defer { ImportRequestBuilder.removeSpool(path, of: name) }
        do throws(ETLError) {
            let counts = try AnswerImport.take(
                path, into: store, readBy: ServiceDefinition.all.map(\.reader),
                waiting: console.lockWaitPolicy)
            console.note(
                "Imported \(HumanText.count(counts.taken, "answer")); \(HumanText.count(counts.known)) \(counts.known == 1 ? "was" : "were") already known."
            )
            return .imported(counts.taken, known: counts.known)
        } catch {
            throw CommandFailure(error, inputs: [name])
        }
    }

    private static func look(
        at store: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        let now = SystemClock().epochMilliseconds()
        let summaries: [CachedAnswers.Report]
        var dropped: Int?
        do throws(ETLError) {
            if arguments.command.last == "purge" {
                dropped = try CachedAnswers.purge(
                    store, service: arguments[service], onlyStale: arguments[stale], now: now,
                    waiting: console.lockWaitPolicy)
            }
            summaries = dropped == nil ? try CachedAnswers.reports(store, now: now) : []
        } catch {
            throw CommandFailure(error)
        }
        guard let dropped else { return try write(summaries, arguments, console) }
        console.note("Deleted \(HumanText.count(dropped, "answer")).")
        if arguments[StoreOptions.json] {
            try console.writeJSON { CachedAnswersReport.deleted(dropped).write(into: &$0) }
        }
        return .completed
    }

    private static func write(
        _ services: [CachedAnswers.Report], _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        if arguments[StoreOptions.json] {
            try console.writeJSON { CachedAnswers.write(services, into: &$0) }
            return .completed
        }
        guard !services.isEmpty else {
            console.note("The store has no cached answers.")
            return .completed
        }
        var table = Table(
            .init("service", isNeverCut: true), .init("found", .right), .init("not found", .right),
            .init("expired", .right),
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
