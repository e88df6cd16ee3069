import Foundation
import TestSupport
import Testing

@testable import Database
@testable import FakeServices
@testable import Jobs
@testable import Services
@testable import Store
@testable import System

/// A job that waits for a service's next day is paused, whenever that becomes clear.
@Suite struct SpentQuotaTests {
    private static let silent = ["google-books": FakeFaults(share: 1, kinds: [.blocked403])]

    private let library: NetworkImport
    /// It starts on 14 November 2023 at 22:13:20 UTC.
    private let clock = ManualClock()

    init() throws { library = try NetworkImport(records: 40) }

    private var midnight: Int64 { 1_700_006_400_000 }

    /// Settings in which only Google Books has a daily budget.
    private func settings(
        _ faults: [String: FakeFaults] = [:], callsADay: Int? = nil
    ) -> ServiceSettings {
        var settings = library.settings(FakeTransport(FakeServices(faults: faults), clock: clock))
        (settings.openLibrary, settings.isbndb, settings.wikidata) = (nil, nil, nil)
        settings.limits?.quota = callsADay.map { QuotaLedger.Budget(calls: $0) }
        settings.stateFolder = nil
        settings.firstWaitPolicy = .noTimeout
        return settings
    }

    private func resumed(_ settings: ServiceSettings) async throws -> ImportOutcome {
        try await library.run("s.sqlite", settings, again: true, clock: clock)
    }

    private func reasons(_ outcome: ImportOutcome) throws -> Set<String> {
        let connection = try StoreFile.openForReading(library.folder.file("s.sqlite"))
        return Set(try PendingRecords(connection).counts(ofJob: outcome.job.id).flatMap(\.reasons.keys))
    }

    @Test func `it is paused if the budget is spent when it asks again`() async throws {
        _ = try await library.run("whole.sqlite", settings(), clock: clock)
        let first = try await library.run("s.sqlite", settings(Self.silent), clock: clock)
        #expect(first.end == .completed)
        #expect(try reasons(first) == ["blocked"])
        let waiting = first.job.pending

        let again = try await resumed(settings(callsADay: 0))
        #expect(again.end == .paused(JobPause(services: ["google-books"], resumeAt: midnight)))
        #expect(again.job.status == .completed)
        #expect(again.job.pending == waiting)
        #expect(try reasons(again) == ["quota"])

        let renewed = try await resumed(settings())
        #expect(renewed.end == .completed)
        #expect(renewed.job.pending == 0)
        #expect(try library.dump("s.sqlite") == library.dump("whole.sqlite"))
    }

    @Test func `it is paused if the first pass did not wait and the budget is spent`() async throws {
        var settings = settings(callsADay: 0)
        settings.firstWaitPolicy = .timeout(0)
        let outcome = try await library.run("s.sqlite", settings, clock: clock)
        #expect(outcome.end == .paused(JobPause(services: ["google-books"], resumeAt: midnight)))
    }

    @Test func `it is not paused for a budget that was spent on another day`() async throws {
        let first = try await library.run("s.sqlite", settings(callsADay: 0), clock: clock)
        #expect(first.end == .paused(JobPause(services: ["google-books"], resumeAt: midnight)))
        let again = try await resumed(settings(Self.silent))
        #expect(again.end == .completed)
        #expect(again.job.pending == first.job.pending)
        #expect(try reasons(again) == ["blocked"])
    }

    @Test func `resumed offline it stays pending for the same reason`() async throws {
        let first = try await library.run("s.sqlite", settings(callsADay: 0), clock: clock)
        let offline = try await resumed(ServiceSettings())
        #expect(offline.end == .paused(JobPause(services: ["google-books"], resumeAt: nil)))
        #expect(offline.job.pending == first.job.pending)
        #expect(try reasons(offline) == ["quota"])
    }

    @Test func `it is paused if dropped answers cannot be requested again today`() async throws {
        _ = try await library.run("s.sqlite", settings(), clock: clock)
        let path = library.folder.file("s.sqlite")
        // Only one record is pending, and its answer is available.
        try Connection(path, .readWrite).execute(
            """
            INSERT INTO pending SELECT id, 0, 2, 'google-books:timeout' FROM jobs;
            UPDATE jobs SET lost_answers = 1;
            DELETE FROM answers;
            """)
        let held = Guarded(0)
        var request = try library.request("s.sqlite", settings(callsADay: 2))
        request.jobName = "job"
        request.mode = .pending
        let outcome = try await ImportJob(
            request, clock: clock,
            observing: { event in if case .stayedPending(let count) = event { held.withLock { $0 = count } } }
        ).run()
        #expect(held.withLock { $0 } > 20)
        #expect(outcome.job.pending == 1)
        #expect(outcome.end == .paused(JobPause(services: ["google-books"], resumeAt: midnight)))
    }
}
