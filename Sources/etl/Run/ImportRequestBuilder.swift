import Application
import Books
import Foundation
import Pipeline

/// Makes an import's order from a command line.
enum ImportRequestBuilder {
    /// Standard input stays `-` among the files: it is read once all else is known to be right.
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
        // What is wrong with it is told before anything begins.
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
                .unavailable, "--require catalog was given, and there is no catalog.",
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

    /// The order that takes in a mended list of a job's errors. What is said of text and dates concerns the list.
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

    /// The options that decide results and were given.
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

    /// A file to be looked at only: standard input becomes a temporary one.
    static func file(_ name: String) throws(CommandFailure) -> String {
        guard name == "-" else { return name }
        let folder = NSTemporaryDirectory()
        return try StandardInput.spool(beside: "\(folder)/etl")
    }

    static func removeSpool(_ path: String, of name: String) {
        if name == "-" { unlink(path) }
    }
}
