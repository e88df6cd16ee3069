import Books
import FakeServices
import Formats
import Foundation
import Jobs
import Pipeline
import System
import TestSupport

/// Imports of a generated library that ask fake services.
struct LibraryImport {
    let file: String

    /// The books have the titles and authors that the services know, as in a user's library. The services do
    /// not know one ISBN in ten, by an author of whom they know other books.
    ///
    /// - Parameter distinct: Whether each book is a separate work. Otherwise three are editions of one work.
    init(records: Int, distinct: Bool = false, in folder: TemporaryFolder) throws {
        var lines = "Title,Author,ISBN13,My Rating\n"
        var author = "User's Author"
        for number in 0..<records {
            guard let isbn = MadeUpISBN.number(distinct ? 3 * number : number) else { continue }
            let book = FakeLibrary().book(isbn)
            author = book?.authorName ?? author
            lines += "\(book?.title ?? "Row \(number)"),\(author),"
            lines += "\(isbn.isbn13),\(number % 6)\n"
        }
        file = try folder.write(lines, to: "library.csv")
    }

    /// Imports the library, or finishes its pending records.
    ///
    /// - Parameters:
    ///   - again: Whether to continue the job instead of starting one.
    ///   - name: The name of a new job.
    func run(
        into store: String, _ settings: ServiceSettings, again: Bool = false, named name: String = "job",
        clock: any RunClock = SystemClock(), stop: StopSignal = StopSignal(),
        observing observe: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        var request = ImportRequest(
            reading: ReadSettings(files: [file]), storePath: store, freshName: name, definition: definition)
        request.services = { (_, _, _) throws(ETLError) in settings }
        if again {
            request.jobName = name
            request.mode = .pending
        }
        return try await ImportJob(request, clock: clock, stop: stop, observing: observe).run()
    }
}
