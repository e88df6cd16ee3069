import Foundation
import TestSupport
import Testing

@testable import FakeServices
@testable import Jobs
@testable import Services
@testable import Store
@testable import System

/// Runs with misbehaving services: they end on their own, account for every record, and the result does not
/// depend on the faults.
@Suite struct NetworkImportTests {
    private func server(_ faults: [String: FakeFaults] = [:]) throws -> FakeServer {
        let services = FakeServices(faults: faults)
        return try FakeServer { services.answer($0) }
    }

    /// All faults that do not take seconds of real time.
    private static let kinds: [FakeFaults.Kind] = [
        .throttled, .throttledWithPause, .serverError, .cutOff, .brokenJSON, .page, .reset, .mismatch,
        .blocked403,
    ]

    @Test func `every provider is asked, and the book has values of each`() async throws {
        let library = try NetworkImport(records: 60)
        let server = try server()
        defer { server.stop() }
        let outcome = try await library.run("s.sqlite", library.settings(server))
        #expect(outcome.end == .completed)
        #expect(outcome.job.pending == 0)
        #expect(outcome.job.counts.enrichmentSucceeded > 40)
        let dump = try library.dump("s.sqlite")
        for words in [
            "openlibrary", "google-books", "isbndb", "ol:OL", "A much longer account", "United States",
            "Female",
        ] {
            #expect(dump.contains(words), "\(words)")
        }
        #expect(outcome.services.map(\.name) == ["openlibrary", "google-books", "isbndb", "wikidata"])
    }

    @Test func `progress is reported in many steps as records get their answers`() async throws {
        let library = try NetworkImport(records: 200)
        let clock = ManualClock()
        var settings = library.settings(FakeTransport(FakeServices(), clock: clock))
        // Slow services are asked in small batches.
        settings.limits = ServiceLimits(rate: .init(perSecond: 10, burst: 2), concurrency: 8)
        // The first pass does not wait: the pending pass does all the work.
        settings.firstWaitPolicy = .timeout(0)
        let explicit = Guarded<(open: [Int], taken: [Int], settled: [Int])>(([], [], []))
        let request = try library.request("s.sqlite", settings)
        let job = ImportJob(
            request, clock: clock,
            observing: { event in
                explicit.withLock { explicit in
                    switch event {
                    case .pendingInBatch(let count): explicit.open.append(count)
                    case .pendingPassBegan(let count): explicit.taken.append(count)
                    case .finished(let count): explicit.settled.append(count)
                    default: break
                    }
                }
            })
        let outcome = try await job.run()
        #expect(outcome.end == .completed && outcome.job.pending == 0)
        let (open, taken, settled) = explicit.withLock { $0 }
        let waited = try #require(taken.first)
        #expect(taken.count == 1 && open.reduce(0, +) == waited && settled.reduce(0, +) == waited)
        // On a busy machine some answers arrive early; enough must be left to see steps.
        #expect(waited > 64)
        #expect(settled.count >= 20 && settled.allSatisfy { $0 <= waited / 3 }, "\(settled)")
    }

    @Test func `importing the file again sends no requests`() async throws {
        let library = try NetworkImport(records: 40)
        let server = try server()
        defer { server.stop() }
        _ = try await library.run("s.sqlite", library.settings(server))
        let (calls, before) = (server.requests.count, try library.dump("s.sqlite"))
        var request = try library.request("s.sqlite", library.settings(server))
        request.freshName = "again"
        let again = try await ImportJob(request).run()
        #expect(again.end == .completed)
        #expect(again.job.counts.booksCreated == 0 && again.job.counts.booksUpdated == 0)
        #expect(server.requests.count == calls)
        #expect(try library.dump("s.sqlite") == before)
    }

    @Test(arguments: [1, 7] as [UInt64])
    func `faults of every kind leave no trace after resuming`(seed: UInt64) async throws {
        let library = try NetworkImport(records: 200)
        let calm = try server()
        defer { calm.stop() }
        _ = try await library.run("calm.sqlite", library.settings(calm), clock: ManualClock())
        let reference = try library.dump("calm.sqlite")

        var faults: [String: FakeFaults] = [:]
        for name in FakeServices.names {
            faults[name] = FakeFaults(share: 0.3, kinds: Self.kinds, seed: seed)
        }
        faults["google-books"]?.kinds.append(.limit403)
        let moody = try server(faults)
        defer { moody.stop() }
        var settings = library.settings(moody)
        settings.stateFolder = library.folder.file("moody")
        let clock = ManualClock()
        var outcome = try await library.run(
            "moody.sqlite", settings, clock: clock, replayClock: SystemClock())
        #expect(outcome.job.counts.totalProcessed == 200)
        var resumes = 0
        while outcome.job.pending > 0, resumes < 2 {
            resumes += 1
            await clock.sleep(nanoseconds: 61_000_000_000)
            outcome = try await library.run("moody.sqlite", settings, again: true, clock: clock)
            #expect(outcome.job.counts.totalProcessed == 200)
        }
        #expect(outcome.job.pending == 0, "after \(resumes) resumes")
        #expect(outcome.end == .completed)
        let lines = try library.dump("moody.sqlite").split(separator: "\n")
        let missing = Set(reference.split(separator: "\n")).symmetricDifference(lines)
        #expect(
            missing.isEmpty && lines.joined(separator: "\n") + "\n" == reference, "\(missing.count) lines")
    }

    /// Number of records of the slow test: `make faults` sets it to ten thousand.
    private static let recordCount =
        ProcessInfo.processInfo.environment["ETL_FAULT_RECORDS"].flatMap { Int($0) } ?? 300

    /// Every fault, including silence and dropped connections, with a manual clock.
    @Test func `many records survive faults of every kind without a trace`() async throws {
        let library = try NetworkImport(records: Self.recordCount)
        let calm = ManualClock()
        var well = library.settings(FakeTransport(FakeServices(), clock: calm))
        well.firstWaitPolicy = .noTimeout
        _ = try await library.run("calm.sqlite", well, clock: calm)
        let reference = try library.dump("calm.sqlite")

        var faults: [String: FakeFaults] = [:]
        for name in FakeServices.names {
            faults[name] = FakeFaults(share: 0.3, kinds: FakeFaults.kinds(of: name), seed: 3)
        }
        let clock = ManualClock()
        let transport = FakeTransport(FakeServices(faults: faults), clock: clock)
        var settings = library.settings(transport)
        settings.stateFolder = library.folder.file("moody")
        settings.firstWaitPolicy = .noTimeout
        var outcome = try await library.run("moody.sqlite", settings, clock: clock)
        var resumes = 0
        while outcome.job.pending > 0, resumes < 2 {
            #expect(outcome.job.counts.totalProcessed == Self.recordCount)
            resumes += 1
            outcome = try await library.run(
                "moody.sqlite", settings, again: true, clock: clock, replayClock: SystemClock())
        }
        #expect(outcome.end == .completed)
        #expect(outcome.job.pending == 0, "after \(resumes) resumes")
        #expect(outcome.job.counts.totalProcessed == Self.recordCount)
        #expect(outcome.job.counts.successCount == Self.recordCount)
        #expect(try library.dump("moody.sqlite") == reference)
        // Every kind of fault occurred, and good answers were requested once.
        #expect(Set(transport.requests.compactMap(\.fault)).count == FakeFaults.Kind.allCases.count)
        #expect(AskedKeys.askedAgain(transport.requests).isEmpty)
    }

    @Test func `without a network the import completes with pending records, and a resume finishes them`()
        async throws
    {
        let library = try NetworkImport(records: 50)
        let calm = try server()
        _ = try await library.run("calm.sqlite", library.settings(calm))
        let reference = try library.dump("calm.sqlite")
        defer { calm.stop() }

        let gone = try server()
        var settings = library.settings(gone)
        settings.stateFolder = nil
        gone.stop()
        let offline = try await library.run("s.sqlite", settings, clock: ManualClock())
        #expect(offline.end == .completed)
        #expect(offline.job.counts.successCount == 50)
        #expect(offline.job.pending > 40)
        let reasons = try PendingRecords(StoreFile.openForReading(library.folder.file("s.sqlite")))
            .counts(ofJob: offline.job.id)
        #expect(Set(reasons.map(\.service)).isSuperset(of: ["openlibrary", "google-books", "isbndb"]))
        for counts in reasons { #expect(counts.reasons == ["connection_refused": counts.records]) }

        let resumed = try await library.run("s.sqlite", library.settings(calm), again: true)
        #expect(resumed.end == .completed)
        #expect(resumed.job.pending == 0)
        #expect(resumed.job.counts.totalProcessed == 50)
        #expect(try library.dump("s.sqlite") == reference)
    }

    @Test func `a failing required service fails the run, and stored records stay`() async throws {
        let library = try NetworkImport(records: 10)
        let server = try server(["google-books": FakeFaults(share: 1, kinds: [.blocked403])])
        defer { server.stop() }
        var settings = library.settings(server)
        settings.required = ["google-books"]
        let outcome = try await library.run("s.sqlite", settings, clock: ManualClock())
        #expect(outcome.end.failure?.kind == .unavailable)
        #expect(outcome.job.counts.successCount == 10)
        #expect(server.requests.filter { $0.path.hasPrefix("/google-books") }.count <= 8)
    }

    @Test func `a silent service is skipped in the same run, and the others are asked`() async throws {
        let library = try NetworkImport(records: 200)
        let clock = ManualClock()
        let transport = FakeTransport(
            FakeServices(faults: ["openlibrary": FakeFaults(share: 1, kinds: [.silent])]), clock: clock)
        let outcome = try await library.run("s.sqlite", library.settings(transport), clock: clock)
        #expect(outcome.end == .completed && outcome.job.counts.enrichmentSucceeded > 100)
        for name in ["google-books", "isbndb"] {
            #expect(transport.requests.contains { $0.service == name }, "\(name)")
        }
        // The breaker opens after eight failures; a few more are under way.
        #expect(transport.requests.count { $0.service == "openlibrary" } < 20)
    }

    @Test func `stray 403s of each service leave nothing pending`() async throws {
        let library = try NetworkImport(records: 200)
        let stray = FakeFaults(share: 0.1, kinds: [.blocked403], seed: 5)
        let faults = Dictionary(uniqueKeysWithValues: FakeServices.names.map { ($0, stray) })
        let clock = ManualClock()
        let transport = FakeTransport(FakeServices(faults: faults), clock: clock)
        let outcome = try await library.run("s.sqlite", library.settings(transport), clock: clock)
        #expect(transport.requests.count { $0.fault == .blocked403 } > 20)
        #expect(outcome.end == .completed && outcome.job.pending == 0)
        // Only a refusal that comes before the service's first answer can look like a rejected key: one of the requests that
        // are under way together.
        let most = FakeClient.limits.concurrency
        #expect(outcome.services.allSatisfy { ($0.metrics.failed[.blocked]?.count ?? 0) <= most })
    }

    @Test func `a stop during a pause of ten minutes takes effect at once`() async throws {
        let library = try NetworkImport(records: 10)
        let server = try FakeServer { _ in
            var reply = FakeReply.json("{}", status: 429)
            reply.fields["Retry-After"] = "600"
            return reply
        }
        defer { server.stop() }
        let stop = StopSignal()
        var settings = library.settings(server)
        settings.firstWaitPolicy = .noTimeout
        let task = Task { [settings] in try await library.run("s.sqlite", settings, stop: stop) }
        while server.requests.isEmpty { await Task.yield() }
        let raised = SystemClock().nanoseconds()
        stop.raise()
        let outcome = try await task.value
        // The promise is one second, which is tested with the built tool (PolitenessTests). Among other
        // tests, ending before the pause does is enough.
        #expect(SystemClock().nanoseconds() - raised < 540_000_000_000)
        #expect(outcome.job.counts.totalProcessed == 10 || outcome.end == .stopped)
    }

    @Test func `two runs with two stores together keep to a service's rate and concurrency`()
        async throws
    {
        let library = try NetworkImport(records: 60)
        let server = try server(["google-books": FakeFaults(latencyMilliseconds: 5)])
        defer { server.stop() }
        var settings = library.settings(
            server, limits: ServiceLimits(rate: .init(perSecond: 200, burst: 1), concurrency: 2))
        settings.openLibrary = nil
        settings.isbndb = nil
        settings.wikidata = nil
        let (first, second) = (settings, settings)
        let began = SystemClock().nanoseconds()
        async let one = library.run("one.sqlite", first)
        async let other = library.run("other.sqlite", second)
        #expect(try await one.job.pending == 0)
        #expect(try await other.job.pending == 0)
        #expect(
            (1...2).contains(server.maxAtOnce["google-books"] ?? 0),
            "on a busy machine they may never overlap")
        // The minimum duration for that many requests at that rate, from just before the first one, which may
        // be late.
        let times = server.requests.map(\.at)
        let seconds = (Double(times.max() ?? 0) - Double(began)) / 1e9
        #expect(times.count >= 100 && Double(times.count - 1) <= seconds * 200 + 2)
    }

    @Test func `keys appear nowhere`() async throws {
        let library = try NetworkImport(records: 20)
        let server = try server(["google-books": FakeFaults(share: 0.5, kinds: [.serverError, .limit403])])
        defer { server.stop() }
        let seen = Guarded<[String]>([])
        let request = try library.request("s.sqlite", library.settings(server))
        let outcome = try await ImportJob(
            request, clock: ManualClock(), observing: { event in seen.withLock { $0.append("\(event)") } }
        ).run()
        #expect(!"\(outcome)".contains("CANARY"))
        #expect(!seen.withLock { $0.joined() }.contains("CANARY"))
        let files = FileManager.default.enumerator(atPath: library.folder.path)
        while let name = files?.nextObject() as? String {
            let path = library.folder.file(name)
            guard let bytes = FileManager.default.contents(atPath: path) else { continue }
            #expect(bytes.range(of: Data("CANARY".utf8)) == nil, "\(name)")
        }
    }
}
