import Contract
import Formats
import FoundationEssentials
import Glibc
import Jobs
import Queries
import Store
import Syntax
import System

/// `etl plan`: shows what an import would find and cost.
enum PlanCommand: Command {
    static let files = Argument.many("FILE", "Library exports, or photos; - is standard input")

    static let spec = CommandSpec(
        "plan", summary: "Show what an import would find and cost, without writing anything",
        details: [
            "Reads the files as an import would, checks their ISBNs and looks the books up in the offline catalogs. "
                + "Uses no network. Time and storage are estimated from earlier imports into the store.",
            "For each service, shows the questions, cached answers, requests, and the time at its rate limit. Also "
                + "shows how much of its daily budget the import needs and how much is left. Ranges include further "
                + "questions, for works and authors, as many as earlier answers in the store led to.",
            "For photos of shelves, shows what `etl scan` would send, and where.",
        ],
        arguments: [files.spec],
        options: [
            RunOptions.db.spec, RunOptions.catalog.spec, RunOptions.providers.spec, RunOptions.offline.spec,
            RunOptions.limit.spec, StoreOptions.json.spec,
        ] + ReadOptions.all,
        showing: [ReadOptions.format.spec, RunOptions.limit.spec, RunOptions.providers.spec]
            + RunOptions.usual,
        examples: [
            .init("etl plan export.csv", "Show how many records are valid, and estimate time and storage"),
            .init("etl plan --catalog catalog.sqlite export.csv", "Count the books that a catalog knows"),
            .init(
                "etl plan --providers catalog,google-books export.csv",
                "Estimate the requests to Google Books"),
        ], isPaged: true
    ) { arguments in
        arguments[files].isEmpty ? .needs("etl plan", "a FILE") : nil
    }

    /// The options that were given, as typed. The import takes them too.
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
        if let scan = try await ScanPlan.forecast(of: names, arguments) {
            try scan.write(to: console, arguments)
            return .completed
        }
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
        configured.definedSettings = try Definitions.definedSettings(try Definitions.csvImport())
        let services = try configured.settings(
            named: arguments[RunOptions.providers], isOffline: arguments[RunOptions.offline], required: nil)
        let hasStore = FileSystem.access(store, F_OK) == 0
        var forecast: ImportForecast
        do throws(ETLError) {
            if arguments[ReadOptions.rules] == nil {
                try reading.takeRules(of: JobOptions.defaultLibrary, in: store)
            }
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
            try console.writeJSON { forecast.write(into: &$0) }
        } else {
            try ForecastReport(forecast: forecast, words: given(arguments) + names).write(to: console)
        }
        return .completed
    }
}
