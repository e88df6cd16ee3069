package import Books
package import Database
import FoundationEssentials
import Glibc
package import Pipeline

/// An import into a store that exists only while it is used. Nothing else is written, and no service is asked.
package struct TemporaryImport: Sendable {
    private var request: ImportRequest

    /// - Parameters:
    ///   - reading: The files and how they are read.
    ///   - definition: A definition that ends in a store.
    ///   - catalogs: Paths of catalogs to look books up in.
    package init(_ reading: ReadSettings, _ definition: PipelineDefinition, catalogs: [String] = []) {
        // The path follows when the import runs.
        request = ImportRequest(reading: reading, storePath: "", freshName: "once", definition: definition)
        request.catalogPaths = catalogs
        if catalogs.isEmpty { request.providers = [] }
        request.isOffline = true
        // The store is temporary, so nothing is kept for later jobs.
        request.isDryRun = true
    }

    /// Imports the files, and passes the store, opened for reading, and the job to `use`.
    ///
    /// - Throws: What the import throws or ends with, and what `use` throws.
    package func run<Result>(
        stop: StopSignal = StopSignal(),
        _ use: (Connection, Job) throws(StageFailure) -> Result
    ) async throws(StageFailure) -> Result {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var request = request
        request.storePath = "\(folder)/store.sqlite"
        let outcome = try await ImportJob(request, stop: stop).run()
        if let failure = outcome.end.failure { throw failure }
        guard outcome.end == .completed else { throw StageFailure(.temporary, "The import was stopped.") }
        return try use(try StoreFile.openForReading(request.storePath), outcome.job)
    }

    private static func makeFolder() throws(StageFailure) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/etl-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StageFailure(
                .cannotCreate,
                "A temporary folder cannot be created in `\(parent)`: \(String(cString: strerror(errno))).",
                advice: "Set TMPDIR to another folder.")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
