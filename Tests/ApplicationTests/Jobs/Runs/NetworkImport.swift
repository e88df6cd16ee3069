import Foundation
import Pipeline
import TestSupport

@testable import Books
@testable import Database
@testable import FakeServices
@testable import Formats
@testable import Jobs
@testable import Services
@testable import Store
@testable import System

/// Imports of a generated library whose books are requested from fake services over a real socket.
struct NetworkImport {
    let folder: TemporaryFolder
    let file: String
    let records: Int

    /// Writes a library of a number of records: some known to the fake services, some unknown, some repeated.
    ///
    /// - Parameter named: Whether all records have the titles and authors that the services know, as in a
    ///   user's library.
    init(records: Int, named: Bool = false) throws {
        folder = try TemporaryFolder()
        self.records = records
        var lines = ["Title,Author,ISBN13,My Rating"]
        let isbns = FakeClient.isbns(known: records, unknown: 1)
        var number = 0
        var body: Int64 = 978_100_000_000
        var author = "Reader"
        while lines.count <= records {
            body += 1
            number += 1
            let isbn = ISBN(twelve: body)
            let known = FakeLibrary().book(isbn)
            switch number % 9 {
            case 0: lines.append("\(known?.title ?? "Nothing"),\(known?.authorName ?? "Nobody"),,3")
            case _ where named:
                author = known?.authorName ?? author
                lines.append("\(known?.title ?? "Row \(number)"),\(author),\(isbn.isbn13),4")
            case 5:
                lines.append(
                    "Mentioned again,\(FakeClient.author(of: isbns.known[0])),\(isbns.known[0].isbn13),4")
            default: lines.append("Row \(number),\(FakeClient.author(of: isbn)),\(isbn.isbn13),\(number % 6)")
            }
        }
        file = try folder.write(lines.joined(separator: "\n") + "\n", to: "library.csv")
    }

    func settings(_ server: FakeServer, limits: ServiceLimits = FakeClient.limits) -> ServiceSettings {
        settings(server.url, limits: limits)
    }

    /// Settings for fake services without a socket.
    func settings(_ transport: FakeTransport) -> ServiceSettings {
        var settings = settings("http://fake.test", limits: FakeClient.limits)
        settings.transport = transport
        return settings
    }

    private func settings(_ url: String, limits: ServiceLimits) -> ServiceSettings {
        var settings = ServiceSettings.fake(at: url, key: "CANARY-key", limits: limits)
        settings.retry = RetryPolicy(attempts: 3, base: 1_000_000)
        settings.stateFolder = folder.file("state")
        return settings
    }

    func request(_ store: String, _ services: ServiceSettings) throws -> ImportRequest {
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml",
            overrides: [DefinitionOverride(option: "source.settings.batch.records=64")])
        var request = ImportRequest(
            reading: ReadSettings(files: [file]), storePath: folder.file(store), freshName: "job",
            definition: definition)
        request.services = { (_, _, _) throws(ETLError) in services }
        return request
    }

    /// Imports, or finishes the pending records of the job.
    func run(
        _ store: String, _ services: ServiceSettings, again: Bool = false,
        clock: any RunClock = SystemClock(), replayClock: (any RunClock)? = nil,
        stop: StopSignal = StopSignal()
    ) async throws -> ImportOutcome {
        var request = try request(store, services)
        if again {
            request.jobName = "job"
            request.mode = .pending
        }
        return try await ImportJob(request, clock: clock, replayClock: replayClock, stop: stop).run()
    }

    /// Number of editions with data of a provider.
    func editions(_ store: String, with provider: String) throws -> Int {
        try Int(
            StoreFile.openForReading(folder.file(store)).number(
                "SELECT count(*) FROM editions WHERE providers LIKE '%\(provider)%'"))
    }

    /// The canonical dump of a store.
    func dump(_ store: String) throws -> String {
        try StoreFile.openForReading(folder.file(store)).canonicalDump()
    }
}
