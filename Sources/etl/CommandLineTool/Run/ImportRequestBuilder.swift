import Books
import Formats
import Glibc
import Jobs
import Pipeline
import Store
import System

/// Creates the request for an import from a command line.
enum ImportRequestBuilder {
    /// Standard input stays `-` in the list of files. It is read only after everything else was checked.
    static func request(
        files: [String], _ definition: PipelineDefinition, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> ImportRequest {
        let store = DefaultPaths.store(arguments, RunOptions.db)
        let fresh = arguments[RunOptions.job] ?? JobName.make()
        var reading = ReadSettings(files: try FilePatterns.expanded(files))
        try ReadOptions.apply(arguments, to: &reading)
        reading.limit = arguments[RunOptions.limit]

        var request = ImportRequest(
            reading: reading, storePath: store, freshName: fresh, definition: definition)
        request.providers = arguments[RunOptions.providers]
        if request.providers?.contains(Provider.catalogName) ?? true {
            request.catalogPaths = DefaultPaths.catalogs(arguments[RunOptions.catalog])
        }
        let required = arguments[RunOptions.require]
        request.services = try ServiceSetup.resolver(
            definition, named: request.providers, isOffline: arguments[RunOptions.offline], required: required
        )
        if required == Provider.catalogName, request.catalogPaths.isEmpty {
            throw CommandFailure(
                .unavailable, "`--require catalog` needs a catalog, but none is specified.",
                advice: "Specify one with --catalog, or set ETL_CATALOG.")
        }
        request.library = arguments[RunOptions.library]
        request.jobName = arguments[RunOptions.job]
        request.isDryRun = arguments[RunOptions.dryRun]
        if arguments[RunOptions.restart] { request.mode = .restart }
        request.replaces = arguments[RunOptions.replace]
        request.isSamePerson = arguments[RunOptions.samePerson]
        request.joins = arguments[RunOptions.join]
        request.rulesPath = arguments[ReadOptions.rules]
        request.isOffline = arguments[RunOptions.offline]
        request.explicit = explicit(arguments)
        request.budgets = arguments[RunOptions.maxErrors]
        request.acceptsViolations = arguments[RunOptions.accept]
        return request
    }

    /// The request for importing corrected rows of a job. Options for text and dates apply to the list, not
    /// to the job's files.
    static func corrections(
        _ list: String, _ definition: PipelineDefinition, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> ImportRequest {
        var request = try request(files: [], definition, arguments)
        request.mode = .corrections(
            ImportRequest.CorrectedFile(list, dateOrder: arguments[ReadOptions.dates]))
        request.pipelineChoice = .any
        request.explicit.subtract([.encoding, .delimiter, .quote, .header, .dates])
        return request
    }

    /// The options that affect results and were given explicitly.
    private static func explicit(_ arguments: ParsedArguments) -> Set<JobOptions.Option> {
        Set(
            JobOptions.Option.allCases.filter { option in
                switch option {
                case .library: arguments.isExplicit(RunOptions.library)
                case .format: arguments.isExplicit(ReadOptions.format)
                case .map: arguments.isExplicit(ReadOptions.map)
                case .mapping: arguments.isExplicit(ReadOptions.mapping)
                case .encoding: arguments.isExplicit(ReadOptions.encoding)
                case .delimiter: arguments.isExplicit(ReadOptions.delimiter)
                case .quote: arguments.isExplicit(ReadOptions.quote)
                case .header: arguments.isExplicit(ReadOptions.header)
                case .dates: arguments.isExplicit(ReadOptions.dates)
                case .limit: arguments.isExplicit(RunOptions.limit)
                case .catalog: arguments.isExplicit(RunOptions.catalog)
                case .providers: arguments.isExplicit(RunOptions.providers)
                case .offline: arguments.isExplicit(RunOptions.offline)
                case .replace: arguments.isExplicit(RunOptions.replace)
                case .join: arguments.isExplicit(RunOptions.join)
                case .rules: arguments.isExplicit(ReadOptions.rules)
                }
            })
    }

    /// The path of a file that is only read once; standard input is saved to a temporary file.
    static func file(_ name: String) throws(CommandFailure) -> String {
        guard name == "-" else { return name }
        let place = Folder.temporary + "/etl"
        StandardInput.removeAbandoned(beside: place)
        return try StandardInput.spool(beside: place)
    }

    static func removeSpool(_ path: String, of name: String) {
        if name == "-" { FileSystem.unlink(path) }
    }
}
