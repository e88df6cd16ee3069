import Application
import Books
import Foundation
import Pipeline
import Syntax

/// `etl plan`: what an import would meet and cost.
enum PlanCommand: Command {
    static let files = Argument.many("FILE", "library exports; - is standard input")

    static let spec = CommandSpec(
        "plan", summary: "tell what an import would meet and cost; nothing is written",
        details: [
            "Reads the files as an import would, checks their ISBNs and looks into the offline catalogs. No network "
                + "is used. Time and storage are told from what earlier imports into the store took.",
            "For each service that the import would ask: how many questions, how many of them the store can answer, "
                + "how many calls that leaves by the service's batches, how long they take at its rate, and what they "
                + "cost of the day's budget. Where two numbers are told, the second is what it may come to if every "
                + "book leads to further questions.",
        ],
        arguments: [files.spec],
        options: [
            RunOptions.db.spec, RunOptions.catalog.spec, RunOptions.providers.spec, RunOptions.offline.spec,
            RunOptions.limit.spec, StoreOptions.json.spec,
        ] + ReadOptions.all,
        examples: [
            .init("etl plan export.csv", "records by validity, different books, catalog hits, time, storage"),
            .init("etl plan --catalog catalog.sqlite export.csv", "how many of the books that catalog knows"),
            .init(
                "etl plan --providers catalog,google-books export.csv", "what asking Google Books would cost"),
        ]
    ) { arguments in
        arguments[files].isEmpty ? "`etl plan` needs a FILE." : nil
    }

    /// The options that were given, as they are typed: the import takes them too.
    private static func given(_ arguments: ParsedArguments) -> [String] {
        let own = [
            RunOptions.db.spec, RunOptions.catalog.spec, RunOptions.providers.spec, RunOptions.limit.spec,
        ]
        return own.flatMap { spec in arguments.texts(of: spec).flatMap { ["--\(spec.name)", $0] } }
            + (arguments[RunOptions.offline] ? ["--\(RunOptions.offline.spec.name)"] : [])
            + ReadOptions.given(arguments)
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let names = try FilePatterns.expanded(arguments[files])
        var reading = ReadSettings(files: [])
        defer {
            for (path, name) in zip(reading.files, names) { ImportRequestBuilder.removeSpool(path, of: name) }
        }
        for name in names { reading.files.append(try ImportRequestBuilder.file(name)) }
        try ReadOptions.apply(arguments, to: &reading)
        reading.limit = arguments[RunOptions.limit]
        let store = DefaultPaths.store(arguments, RunOptions.db)
        var configured = try ServiceSetup()
        for remark in configured.remarks { console.warn(UserText(remark)) }
        configured.providerSettings = try Definitions.providerSettings(try Definitions.csvImport())
        let services = try configured.settings(
            named: arguments[RunOptions.providers], isOffline: arguments[RunOptions.offline], required: nil)
        let hasStore = access(store, F_OK) == 0
        var forecast: ImportForecast
        do throws(StageFailure) {
            let catalogs = DefaultPaths.catalogs(arguments[RunOptions.catalog])
            forecast = try await ForecastImport(
                reading, catalogPaths: catalogs, services: services, store: hasStore ? store : nil
            ).forecast { survey in for file in survey.files { console.tell(file) } }
            if hasStore {
                let experience = try ImportHistory(StoreFile.openForReading(store))
                forecast.recordsPerSecond = experience.recordsPerSecond
                forecast.bytesPerRecord = experience.bytesPerEntry
            }
        } catch {
            throw CommandFailure(error, input: names.first)
        }
        if arguments[StoreOptions.json] {
            var json = JSONWriter()
            forecast.write(into: &json)
            try console.write(json.bytes + [UInt8(ascii: "\n")])
        } else {
            try ForecastReport(forecast: forecast, words: given(arguments) + names).write(to: console)
        }
        return .completed
    }
}
