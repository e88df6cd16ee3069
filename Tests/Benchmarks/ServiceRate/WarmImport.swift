import Application
import Books
import FakeServices
import Foundation
import Pipeline
import Services
import TestSupport

/// Imports a library whose answers are all cached: the cost of the rest of an import, including the lookup.
struct WarmImport {
    let records: Int

    /// Prints records per second from the file to the last commit, once with one service and once with all of
    /// them.
    func measure() async throws {
        let folder = try TemporaryFolder()
        var lines = "Title,Author,ISBN13,My Rating\n"
        for number in 0..<records {
            guard let isbn = MadeUpISBN.number(number) else { continue }
            lines += "Row \(number),Reader's Author,\(isbn.isbn13),\(number % 6)\n"
        }
        let library = try folder.write(lines, to: "library.csv")
        for services in [["google-books"], FakeServices.names] {
            let name = "\(services.count)"
            let known = folder.file("known-\(name).sqlite")
            _ = try await run(library, into: known, services)
            var answers = Data()
            _ = try AnswerExport(StoreFile.openForReading(known)).write(service: nil) { bytes in
                answers.append(contentsOf: bytes)
            }
            let path = folder.file("answers-\(name).ndjson")
            try answers.write(to: URL(fileURLWithPath: path))
            let warm = folder.file("warm-\(name).sqlite")
            _ = try AnswerImport.take(path, into: warm, readBy: ServiceDefinition.all.map(\.reader))
            let outcome = try await run(library, into: warm, services)
            let calls = outcome.services.reduce(0) { $0 + $1.metrics.calls }
            let rate = records * 1_000 / max(1, Int(outcome.milliseconds))
            print(
                "services \(services.count) records/s \(rate) calls \(calls) pending \(outcome.job.pending)")
            for stage in outcome.report.stages {
                print("  \(stage.name) busy \(stage.busy / 1_000_000) ms")
            }
        }
    }

    private func run(_ library: String, into store: String, _ services: [String]) async throws
        -> ImportOutcome
    {
        let clock = SystemClock()
        var settings = ServiceSettings()
        func address(_ name: String) -> ServiceEndpoint? {
            services.contains(name)
                ? ServiceEndpoint("http://fake.test/\(name)", isUserConfigured: true, key: "any") : nil
        }
        settings.openLibrary = address("openlibrary")
        settings.googleBooks = address("google-books")
        settings.isbndb = address("isbndb")
        settings.wikidata = address("wikidata")
        settings.limits = ServiceLimits(rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: 64)
        settings.transport = FakeTransport(FakeServices(), clock: clock)
        settings.firstWaitPolicy = .patient
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        var request = ImportRequest(
            reading: ReadSettings(files: [library]), storePath: store, freshName: "job",
            definition: definition)
        request.services = { [settings] (_, _, _) throws(StageFailure) in settings }
        return try await ImportJob(request, clock: clock).run()
    }
}
