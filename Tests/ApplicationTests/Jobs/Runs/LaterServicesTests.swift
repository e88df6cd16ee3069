import Pipeline
import Services
import Synchronization
import TestSupport
import Testing

@testable import FakeServices
@testable import Jobs
@testable import Store
@testable import System

/// Services that are configured after a job has begun.
@Suite struct LaterServicesTests {
    private let sample: NetworkImport
    private let clock = ManualClock()

    init() throws { sample = try NetworkImport(records: 400) }

    private func services(_ names: Set<String>, _ faults: [String: FakeFaults] = [:]) -> ServiceSettings {
        var settings = sample.settings(FakeTransport(FakeServices(faults: faults), clock: clock))
        // The clock advances in leaps: even a wait of two seconds would be over at once.
        settings.firstWaitPolicy = .noTimeout
        settings.leaveOut(Set(["openlibrary", "google-books", "isbndb", "wikidata"]).subtracting(names))
        return settings
    }

    private func run(
        _ store: String, _ services: ServiceSettings, again: Bool = false, as fresh: String = "job"
    ) async throws -> (outcome: ImportOutcome, servicesLeftOut: [String]) {
        var request = try request(store, services)
        if again {
            (request.jobName, request.mode) = ("job", .pending)
        } else {
            request.freshName = fresh
        }
        let explicit = Mutex<[String]>([])
        let outcome = try await ImportJob(
            request, clock: clock,
            observing: { event in
                if case .servicesLeftOut(let names) = event { explicit.withLock { $0 += names } }
            }
        ).run()
        return (outcome, explicit.withLock { $0 })
    }

    /// A store whose job has finished some records and waits for Open Library with the others.
    private func pending(_ store: String) async throws -> Int {
        let stop = StopSignal()
        let first = try await ImportJob(
            try request(store, services(["openlibrary"])), clock: clock, stop: stop,
            observing: { event in if case .ran(.committed) = event { stop.raise() } }
        ).run()
        try #require(first.end == .stopped)
        let moody = services(["openlibrary"], ["openlibrary": FakeFaults(share: 1, kinds: [.blocked403])])
        let job = try await run(store, moody).outcome.job
        try #require(job.pending > 0 && job.pending < sample.records)
        // The service accepted the credentials before, so it is stopped only for a while.
        await clock.sleep(nanoseconds: 61_000_000_000)
        return job.pending
    }

    private func request(_ store: String, _ services: ServiceSettings) throws -> ImportRequest {
        var request = try sample.request(store, services)
        request.definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml",
            overrides: [
                DefinitionOverride(option: "source.settings.batch.records=8"),
                DefinitionOverride(option: "sink.settings.commit.batches=1"),
            ])
        return request
    }

    @Test func `services added later do not reopen finished records`() async throws {
        _ = try await pending("s.sqlite")
        let taken = try await run(
            "s.sqlite", services(["openlibrary", "isbndb", "google-books"]), again: true)
        #expect(taken.servicesLeftOut == ["google-books", "isbndb"])
        #expect(taken.outcome.job.pending == 0)
        #expect(taken.outcome.services.map(\.name) == ["openlibrary"])
        _ = try await run("undisturbed.sqlite", services(["openlibrary"]))
        #expect(try sample.dump("s.sqlite") == sample.dump("undisturbed.sqlite"))
    }

    @Test func `services added later are asked in a new import of the file`() async throws {
        _ = try await run("s.sqlite", services(["openlibrary"]))
        let new = try await run("s.sqlite", services(["openlibrary", "isbndb"]), as: "new")
        #expect(new.servicesLeftOut == [])
        #expect(new.outcome.services.map(\.name) == ["openlibrary", "isbndb"])
        #expect(new.outcome.job.pending == 0)
    }

    @Test func `a required service added later ends the run before it begins`() async throws {
        let waiting = try await pending("s.sqlite")
        var both = services(["openlibrary", "isbndb"])
        both.required = ["isbndb"]
        do {
            _ = try await run("s.sqlite", both, again: true)
            Issue.record("the job ran without isbndb")
        } catch let failure as ETLError {
            #expect(failure.kind == .configuration)
            #expect(failure.message.contains("isbndb"))
        }
        let job = try JobTable(StoreFile.openForReading(sample.folder.file("s.sqlite"))).last()
        #expect(job?.pending == waiting)
    }
}
