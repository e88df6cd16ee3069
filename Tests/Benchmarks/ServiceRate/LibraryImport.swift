import Application
import Books
import FakeServices
import Foundation
import Pipeline
import Services
import TestSupport

/// Imports of a generated library that ask fake services.
struct LibraryImport {
    let file: String

    init(records: Int, in folder: TemporaryFolder) throws {
        var lines = "Title,Author,ISBN13,My Rating\n"
        for number in 0..<records {
            guard let isbn = MadeUpISBN.number(number) else { continue }
            lines += "Row \(number),Reader's Author,\(isbn.isbn13),\(number % 6)\n"
        }
        file = try folder.write(lines, to: "library.csv")
    }

    /// Imports the library, or finishes its pending records.
    func run(
        into store: String, _ settings: ServiceSettings, again: Bool = false
    ) async throws -> ImportOutcome {
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        var request = ImportRequest(
            reading: ReadSettings(files: [file]), storePath: store, freshName: "job", definition: definition)
        request.services = { (_, _, _) throws(StageFailure) in settings }
        if again {
            request.jobName = "job"
            request.finishesPending = true
        }
        return try await ImportJob(request).run()
    }
}
