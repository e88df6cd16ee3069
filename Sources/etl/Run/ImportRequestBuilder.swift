import Application
import Books
import FoundationEssentials
import Glibc
import Pipeline

/// Creates the request for an import from a command line.
enum ImportRequestBuilder {
    /// Standard input stays `-` in the list of files. It is read only after everything else was checked.
    static func order(
        files: [String], _ definition: PipelineDefinition, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> ImportRequest {
        let store = DefaultPaths.store(arguments, RunOptions.db)
        let fresh = arguments[RunOptions.job] ?? UUID().uuidString.lowercased()
        var reading = ReadSettings(files: try FilePatterns.expanded(files))
        try ReadOptions.apply(arguments, to: &reading)
        reading.limit = arguments[RunOptions.limit]

        var order = ImportRequest(
            reading: reading, storePath: store, freshName: fresh, definition: definition)
        order.providers = arguments[RunOptions.providers]
        if order.providers?.contains("catalog") ?? true {
            order.catalogPaths = DefaultPaths.catalogs(arguments[RunOptions.catalog])
        }
        var services = try ServiceSetup()
        services.providerSettings = try Definitions.providerSettings(definition)
        let required = arguments[RunOptions.require]
        // Reports wrong settings before anything starts.
        _ = try services.settings(
            named: order.providers, isOffline: arguments[RunOptions.offline], required: required)
        order.services = { [services] (named, isOffline, providerSettings) throws(StageFailure) in
            do throws(CommandFailure) {
                var services = services
                services.providerSettings = providerSettings
                return try services.settings(named: named, isOffline: isOffline, required: required)
            } catch {
                throw StageFailure(.configuration, error.message, advice: error.advice)
            }
        }
        if required == "catalog", order.catalogPaths.isEmpty {
            throw CommandFailure(
                .unavailable, "`--require catalog` was given, but there is no catalog.",
                advice: "Name one with --catalog, or set ETL_CATALOG.")
        }
        order.library = arguments[RunOptions.library]
        order.jobName = arguments[RunOptions.job]
        order.isDryRun = arguments[RunOptions.dryRun]
        order.restarts = arguments[RunOptions.restart]
        order.replaces = arguments[RunOptions.replace]
        order.isOffline = arguments[RunOptions.offline]
        order.explicit = explicit(arguments)
        order.budgets = arguments[RunOptions.maxErrors]
        return order
    }

    /// The request for importing corrected rows of a job. Options for text and dates apply to the list, not
    /// to the job's files.
    static func corrections(
        _ list: String, _ definition: PipelineDefinition, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> ImportRequest {
        var order = try order(files: [], definition, arguments)
        order.rejects = list
        order.pipelineChoice = .any
        order.rejectsDateOrder = arguments[ReadOptions.dates]
        order.explicit.subtract([.encoding, .delimiter, .quote, .header, .dates])
        return order
    }

    /// The options that affect results and were given explicitly.
    private static func explicit(_ arguments: ParsedArguments) -> Set<JobOptions.Option> {
        Set(
            JobOptions.Option.allCases.filter { option in
                switch option {
                case .library: arguments.isGiven(RunOptions.library)
                case .format: arguments.isGiven(ReadOptions.format)
                case .map: arguments.isGiven(ReadOptions.map)
                case .mapping: arguments.isGiven(ReadOptions.mapping)
                case .encoding: arguments.isGiven(ReadOptions.encoding)
                case .delimiter: arguments.isGiven(ReadOptions.delimiter)
                case .quote: arguments.isGiven(ReadOptions.quote)
                case .header: arguments.isGiven(ReadOptions.header)
                case .dates: arguments.isGiven(ReadOptions.dates)
                case .limit: arguments.isGiven(RunOptions.limit)
                case .catalog: arguments.isGiven(RunOptions.catalog)
                case .providers: arguments.isGiven(RunOptions.providers)
                case .offline: arguments.isGiven(RunOptions.offline)
                case .replace: arguments.isGiven(RunOptions.replace)
                }
            })
    }

    /// The path of a file that is only read once; standard input is saved to a temporary file.
    static func file(_ name: String) throws(CommandFailure) -> String {
        guard name == "-" else { return name }
        return try StandardInput.spool(
            beside: FileManager.default.temporaryDirectory.appending(path: "etl").path)
    }

    static func removeSpool(_ path: String, of name: String) {
        if name == "-" { unlink(path) }
    }
}
