import Foundation
import Pipeline
import Stages

/// Makes an import's order from a command line.
enum Orders {
    static func order(
        files: [String], _ definition: PipelineDefinition, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> ImportOrder {
        let store = Places.store(arguments, RunOptions.db)
        let fresh = arguments[RunOptions.job] ?? UUID().uuidString.lowercased()
        var paths: [String] = []
        for file in files {
            paths.append(file == "-" ? try StandardInput.spool(beside: store, named: fresh) : file)
        }
        var reading = ReadSettings(files: paths)
        let format = arguments[RunOptions.format]
        if format != "auto" { reading.format = format }
        if let map = arguments[RunOptions.map] { reading.columns = map }
        reading.limit = arguments[RunOptions.limit]

        var order = ImportOrder(reading: reading, storePath: store, freshName: fresh, definition: definition)
        // A spooled input is resumed from its spool: it goes by that name.
        order.names = paths
        let providers = arguments[RunOptions.providers]
        if providers?.contains("catalog") ?? true {
            order.catalogPaths = Places.catalogs(arguments[RunOptions.catalog])
        }
        if let providers { order.providers = providers }
        order.services = try Services().settings(arguments)
        if arguments[RunOptions.require] == "catalog", order.catalogPaths.isEmpty {
            throw CommandFailure(
                .unavailable, "--require catalog was given, and there is no catalog.",
                advice: "Name one with --catalog, or set ETL_CATALOG.")
        }
        order.library = arguments[RunOptions.library]
        order.jobName = arguments[RunOptions.job]
        order.restarts = arguments[RunOptions.restart]
        order.replaces = arguments[RunOptions.replace]
        order.budget = arguments[RunOptions.maxErrors]
        return order
    }

    /// A file to be looked at only: standard input becomes a temporary one.
    static func file(_ name: String) throws(CommandFailure) -> String {
        guard name == "-" else { return name }
        let folder = NSTemporaryDirectory()
        return try StandardInput.spool(beside: "\(folder)/etl", named: UUID().uuidString)
    }

    static func removeSpool(_ path: String, of name: String) {
        if name == "-" { unlink(path) }
    }
}
