import Formats
import Foundation
import Jobs
import Pipeline
import TestSupport

/// An import with the project's own pipeline file, whose flow a benchmark may change before it runs.
struct ImportRun {
    let file: String
    let store: String

    func run(reshaping: @escaping @Sendable (Flow) -> Flow = { $0 }) async throws -> ImportOutcome {
        for suffix in ["", "-wal", "-shm", "-journal", "-lock"] {
            try? FileManager.default.removeItem(atPath: store + suffix)
        }
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        let request = ImportRequest(
            reading: ReadSettings(files: [file]), storePath: store, freshName: UUID().uuidString,
            definition: definition)
        let outcome = try await ImportJob(request, reshaping: reshaping).run()
        if case .failed(let failure) = outcome.end { throw failure }
        return outcome
    }
}
