import Foundation
import Pipeline
import Stages

/// Makes an import's order from a command line.
enum Orders {
    /// - Parameter reading: How an earlier run of the job read, where there was one; options overrule it.
    static func order(
        files: [String], _ definition: PipelineDefinition, _ arguments: ParsedArguments,
        reading: ReadSettings = ReadSettings(files: [])
    ) throws(CommandFailure) -> ImportOrder {
        let store = Places.store(arguments, RunOptions.db)
        let fresh = arguments[RunOptions.job] ?? UUID().uuidString.lowercased()
        var paths: [String] = []
        for file in try FilePatterns.expanded(files) {
            paths.append(file == "-" ? try StandardInput.spool(beside: store, named: fresh) : file)
        }
        var reading = reading
        reading.files = paths
        try ReadOptions.apply(arguments, to: &reading)
        if let limit = arguments[RunOptions.limit] { reading.limit = limit }

        var order = ImportOrder(reading: reading, storePath: store, freshName: fresh, definition: definition)
        // A spooled input is resumed from its spool: it goes by that name.
        order.names = paths
        let providers = arguments[RunOptions.providers]
        if providers?.contains("catalog") ?? true {
            order.catalogPaths = Places.catalogs(arguments[RunOptions.catalog])
        }
        order.library = arguments[RunOptions.library]
        order.jobName = arguments[RunOptions.job]
        order.isDryRun = arguments[RunOptions.dryRun]
        order.restarts = arguments[RunOptions.restart]
        order.replaces = arguments[RunOptions.replace]
        order.budgets = arguments[RunOptions.maxErrors]
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
