import Foundation
import Services
import TestSupport
import Testing

@testable import Books
@testable import FakeServices
@testable import Jobs
@testable import Queries
@testable import Store
@testable import System

/// A job that used services is resumed while they are unavailable: their stored answers remain.
@Suite struct OfflineResumeTests {
    /// Mode of resuming a job.
    enum ResumeMode: Sendable, CaseIterable {
        case online
        /// No service is configured any more.
        case withoutServices
        /// One of several is still configured.
        case withOne
        case offline
    }

    private let catalog: CatalogFixture
    private let library: NetworkImport
    private let clock = ManualClock()

    init() async throws {
        catalog = try await CatalogFixture([
            DumpFixture.author(1, #""name": "Frank Herbert""#),
            DumpFixture.work(2, #""title": "Poems", "first_publish_date": "1970""#, author: 1),
            DumpFixture.work(3, #""title": "Poems", "first_publish_date": "1980""#, author: 1),
        ])
        library = try NetworkImport(records: 40)
        let handle = try #require(FileHandle(forWritingAtPath: library.file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("Poems,Frank Herbert,,5\n".utf8))
        try handle.close()
    }

    private func settings(_ faults: [String: FakeFaults] = [:]) -> (ServiceSettings, FakeTransport) {
        let transport = FakeTransport(FakeServices(faults: faults), clock: clock)
        var settings = library.settings(transport)
        settings.firstWaitPolicy = .noTimeout
        settings.stateFolder = nil
        return (settings, transport)
    }

    private func importing(_ store: String, _ services: ServiceSettings) async throws -> ImportOutcome {
        var request = try library.request(store, services)
        request.catalogPaths = [catalog.path]
        return try await ImportJob(request, clock: clock).run()
    }

    private func resume(
        _ store: String, _ mode: ResumeMode, _ services: ServiceSettings,
        observing observe: @escaping @Sendable (ImportEvent) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        var none = ServiceSettings()
        none.strategies = services.strategies
        var settings = mode == .withoutServices ? none : services
        if mode == .withOne { (settings.openLibrary, settings.isbndb, settings.wikidata) = (nil, nil, nil) }
        var request = try library.request(store, settings)
        request.services = { [settings, none] (_, isOffline, _) throws(ETLError) in
            isOffline ? none : settings
        }
        request.jobName = "job"
        request.mode = .pending
        if mode == .offline {
            request.isOffline = true
            request.explicit = [.offline]
        }
        return try await ImportJob(request, clock: clock, observing: observe).run()
    }

    private func decide(_ store: String) throws {
        let path = library.folder.file(store)
        let list = try ReviewList(StoreFile.openForReading(path), of: "job")
        let review = try #require(list.reviews.first { $0.title == "Poems" })
        let chosen = ChosenRecord(provider: .openLibrary, record: "OL3W")
        try Reviews.keep([ReviewDecision(review, .accepted(chosen))], ofJob: list.job.id, in: path, now: 1)
    }

    @Test(arguments: ResumeMode.allCases)
    func `a decision is applied, and services' answers for other records stay`(mode: ResumeMode) async throws
    {
        var (services, transport) = settings()
        // It would answer differently once the author is known.
        services.wikidata = nil
        for store in ["reference.sqlite", "s.sqlite"] {
            let imported = try await importing(store, services)
            #expect(imported.job.pending == 0)
            try decide(store)
        }
        _ = try await resume("reference.sqlite", .online, services)
        let calls = transport.requests.count

        let resumed = try await resume("s.sqlite", mode, services)
        #expect(resumed.end == .completed)
        #expect(resumed.job.pending == 0)
        #expect(transport.requests.count == calls, "everything is known")
        let dump = try library.dump("s.sqlite")
        #expect(dump.contains("A made-up book") && dump.contains("A much longer account"))
        #expect(dump.contains("ol:OL3W"))
        #expect(try dump == library.dump("reference.sqlite"))
    }

    @Test(arguments: [ResumeMode.withoutServices, .offline])
    func `records a service left pending stay pending and are finished online as usual`(mode: ResumeMode)
        async throws
    {
        let (calm, _) = settings()
        _ = try await importing("reference.sqlite", calm)
        try decide("reference.sqlite")
        _ = try await resume("reference.sqlite", .online, calm)

        let (moody, _) = settings(["google-books": FakeFaults(share: 1, kinds: [.blocked403])])
        let open = try await importing("s.sqlite", moody).job.pending
        #expect(open > 20)
        try decide("s.sqlite")
        let offline = try await resume("s.sqlite", mode, moody)
        #expect(offline.end == .completed)
        // The decided record too: Wikidata has not been asked for its author yet.
        #expect(offline.job.pending == open)
        let dump = try library.dump("s.sqlite")
        #expect(dump.contains("ol:OL3W"), "the decision is applied")
        #expect(dump.contains("A made-up book"), "the other service's answer stays")

        let online = try await resume("s.sqlite", .online, calm)
        #expect(online.job.pending == 0)
        #expect(try library.dump("s.sqlite") == library.dump("reference.sqlite"))
    }

    /// Imports into two stores, decides a review in each and applies it in the reference store.
    private func decideInTwoStores(_ services: ServiceSettings) async throws {
        for store in ["reference.sqlite", "s.sqlite"] {
            _ = try await importing(store, services)
            try decide(store)
        }
        _ = try await resume("reference.sqlite", .online, services)
    }

    private func dropAnswers(_ store: String) throws {
        let path = library.folder.file(store)
        #expect(try CachedAnswers.purge(path, service: nil, onlyStale: false, now: 0) > 0)
    }

    @Test
    func `dropped answers of other records are requested again before a decision is applied`()
        async throws
    {
        let (services, transport) = settings()
        try await decideInTwoStores(services)
        let before = transport.requests.count
        try dropAnswers("s.sqlite")
        let resumed = try await resume("s.sqlite", .online, services)
        #expect(resumed.job.pending == 0)
        #expect(transport.requests.count > before)
        #expect(try library.dump("s.sqlite") == library.dump("reference.sqlite"))

        let asked = transport.requests.count
        _ = try await resume("s.sqlite", .online, services)
        #expect(transport.requests.count == asked, "nothing is left to do")
    }

    @Test(arguments: [ResumeMode.offline, .withOne])
    func `if dropped answers cannot be requested again nothing is rolled back, with a warning`(
        mode: ResumeMode
    )
        async throws
    {
        let (services, _) = settings()
        try await decideInTwoStores(services)
        let before = try library.dump("s.sqlite")
        try dropAnswers("s.sqlite")
        let explicit = Guarded<[Int]>([])
        let kept = try await resume("s.sqlite", mode, services) { event in
            if case .stayedPending(let count) = event { explicit.withLock { $0.append(count) } }
        }
        #expect(kept.end == .completed)
        #expect(kept.job.pending == 1)
        let counts = explicit.withLock { $0 }
        #expect(counts.count == 1 && counts.allSatisfy { $0 > 20 })
        #expect(try library.dump("s.sqlite") == before)

        #expect(try await resume("s.sqlite", .online, services).job.pending == 0)
        #expect(try library.dump("s.sqlite") == library.dump("reference.sqlite"))
    }

    @Test func `a job without services gets no answers that other jobs received`() async throws {
        let (services, _) = settings()
        func alone(_ store: String) throws -> ImportRequest {
            var request = try library.request(store, ServiceSettings())
            request.catalogPaths = [catalog.path]
            request.jobName = "alone"
            request.library = "another"
            return request
        }
        /// Refuses all books that were offered to a job's records.
        func refuse(_ job: String, in store: String) throws {
            let path = library.folder.file(store)
            let list = try ReviewList(StoreFile.openForReading(path), of: job)
            try Reviews.keep(
                list.reviews.map { ReviewDecision($0, .refused) }, ofJob: list.job.id, in: path, now: 1)
        }
        /// The lines of a dump that are not about the undecided book.
        func others(_ dump: String) -> [Substring] {
            dump.split(separator: "\n").filter { !$0.contains("poems") }
        }
        _ = try await importing("s.sqlite", services)
        _ = try await ImportJob(alone("s.sqlite"), clock: clock).run()
        let before = try library.dump("s.sqlite")
        try refuse("alone", in: "s.sqlite")
        var request = try alone("s.sqlite")
        request.mode = .pending
        let resumed = try await ImportJob(request, clock: clock).run()
        #expect(resumed.services.isEmpty)
        #expect(resumed.job.pending == 0)
        let after = try library.dump("s.sqlite")
        #expect(others(after) == others(before))

        // The undecided book is as if the decision had been there from the start.
        let first = try await importing("reference.sqlite", services)
        try refuse(first.job.name, in: "reference.sqlite")
        _ = try await ImportJob(alone("reference.sqlite"), clock: clock).run()
        #expect(try library.dump("reference.sqlite") == after)
    }
}
