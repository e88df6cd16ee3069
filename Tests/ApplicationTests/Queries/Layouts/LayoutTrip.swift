import Foundation
import Pipeline
import System
import TestSupport

@testable import Books
@testable import Database
@testable import Formats
@testable import Jobs
@testable import Queries
@testable import Store

/// Imports of files, and of what layouts write of them, into stores of their own.
enum LayoutTrip {
    /// Imports a file as `etl import` does, and passes the store to `use`.
    static func importing<Result>(
        _ path: String, _ use: (Connection) throws -> Result
    ) async throws -> Result {
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        let folder = try TemporaryFolder()
        var request = ImportRequest(
            reading: ReadSettings(files: [path]), storePath: folder.file("library.sqlite"), freshName: "trip",
            definition: definition)
        request.providers = []
        request.isOffline = true
        let outcome = try await ImportJob(request).run()
        if let failure = outcome.end.failure { throw failure }
        return try use(try StoreFile.openForReading(request.storePath))
    }

    /// Output of a layout for a store.
    static func written(_ store: Connection, _ layout: any ExportLayout) throws -> (
        bytes: [UInt8], report: LossReport
    ) {
        let collector = ByteCollector()
        let report = try LayoutExport(store, layout).write { (piece) throws(ETLError) in
            collector.take(piece)
        }
        return (collector.bytes, report)
    }

    /// The entries of a store in the order of their records.
    static func entries(_ store: Connection) throws -> [LibraryEntry] {
        let reader = try EntryReader(store)
        let ids = try store.query("SELECT id FROM entries ORDER BY id")
        var entries: [LibraryEntry] = []
        while try ids.next() {
            if let entry = try reader.entry(ids.integer(0)) { entries.append(entry) }
        }
        return entries
    }

    /// The lines of the canonical dump, without rejects.
    ///
    /// - Parameter withCells: Whether the entries' cells count.
    static func canonical(_ store: Connection, withCells: Bool) throws -> [String] {
        try store.canonicalDump().split(separator: "\n").compactMap { line in
            guard var object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                object["kind"] as? String != "reject"
            else { return nil }
            let cells = object["cells"] as? [String: Any]
            object["cells"] = withCells ? cells?.filter { !$0.key.hasPrefix("#") } : nil
            let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// Writes bytes to a file, imports it, and passes the store to `use`.
    static func importing<Result>(
        _ bytes: [UInt8], as name: String, _ use: (Connection) throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        let path = folder.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try await importing(path, use)
    }
}
