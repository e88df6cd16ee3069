import Foundation
import Services
import TestSupport
import Testing

@testable import Database
@testable import FakeServices
@testable import Jobs
@testable import Store
@testable import System

/// Nights of `etl enrich` with services, a budget of requests and a moving clock.
@Suite struct NightlyRefreshTests {
    private static let day: Int64 = 86_400_000
    private static let epoch: Int64 = 1_700_000_000_000
    private static let isbns = "SELECT count(*) FROM editions"

    /// A clock that only advances when something other than the end of the night is waited for.
    private struct NightClock: RunClock {
        let clock: ManualClock
        let night: UInt64?

        init(_ clock: ManualClock, seconds: UInt64?) {
            self.clock = clock
            night = seconds.map { $0 * 1_000_000_000 }
        }

        func nanoseconds() -> UInt64 { clock.nanoseconds() }
        func epochMilliseconds() -> Int64 { clock.epochMilliseconds() }
        func block(nanoseconds: UInt64) { clock.block(nanoseconds: nanoseconds) }
        func sleep(nanoseconds: UInt64) async {
            guard nanoseconds == night else { return await clock.sleep(nanoseconds: nanoseconds) }
            let end = clock.nanoseconds() + nanoseconds
            while clock.nanoseconds() < end, !Task.isCancelled { await Task.yield() }
        }
    }

    /// A library that was imported with answers of one service, which is asked once for each book.
    private struct Nights {
        let library: NetworkImport
        private(set) var store = "s.sqlite"
        /// Successful requests so far, and those sent again although they were answered.
        private(set) var answered: Set<String> = []
        private(set) var repeated: [String] = []

        init(records: Int) async throws {
            library = try NetworkImport(records: records)
            let clock = ManualClock(epoch: NightlyRefreshTests.epoch)
            let transport = FakeTransport(FakeServices(), clock: clock)
            _ = try await library.run(store, try settings(transport), clock: clock)
        }

        var path: String { library.folder.file(store) }

        private func settings(_ transport: FakeTransport) throws -> ServiceSettings {
            var settings = library.settings(transport)
            settings.asked = settings.asked.filter { $0.key == "google-books" }
            settings.stateFolder = nil
            return settings
        }

        struct Night {
            var outcome: ImportOutcome
            var calls: Int
            /// Requests that named the answer which the store has.
            var conditional: Int
        }

        /// Refreshes books whose answers are 30 days old, some days after the import.
        ///
        /// - Parameters:
        ///   - killedAfter: The number of commits after which the store is copied and the copy used from then on,
        ///     as if the process had been killed.
        ///   - unknown: Whether the services answer that they do not know a book.
        ///   - expecting: Settings of the sink.
        mutating func refresh(
            day: Int64, calls: Int? = nil, seconds: UInt64? = nil, faults: FakeFaults = FakeFaults(),
            killedAfter: Int? = nil,
            unknown: Bool = false, expecting: [String] = []
        ) async throws -> Night {
            let clock = NightClock(
                ManualClock(epoch: NightlyRefreshTests.epoch + day * NightlyRefreshTests.day),
                seconds: seconds)
            // An empty folder has no books.
            let empty = unknown ? library.folder.path : nil
            let transport = FakeTransport(
                FakeServices(folder: empty, faults: ["google-books": faults]), clock: clock)
            let settings = try settings(transport)
            var options = RefreshOptions()
            options.staleAfter = 30 * NightlyRefreshTests.day
            var request = try RefreshRuns.request(
                path, options, name: "day-\(day)", batchRecords: seconds == nil ? 64 : 8, sink: expecting)
            var refresh = try #require(request.refresh)
            refresh.calls = calls
            refresh.time = seconds.map { $0 * 1_000_000_000 }
            request.mode = .refresh(refresh)
            request.services = { (_, _, _) throws(ETLError) in settings }
            let (from, copy) = (path, "killed-\(day).sqlite")
            let to = library.folder.file(copy)
            let isCut = Guarded(false)
            let outcome = try await ImportJob(
                request, clock: clock,
                observingCommits: { point in
                    guard case .afterCommit(let batch) = point, batch + 1 == killedAfter else { return }
                    for end in ["", "-wal"] {
                        try? FileManager.default.copyItem(atPath: from + end, toPath: to + end)
                    }
                    isCut.withLock { $0 = true }
                }
            ).run()
            var requests = transport.requests
            if isCut.withLock({ $0 }) {
                store = copy
                // The other answers died with the process.
                let kept = try renewedKeys(since: NightlyRefreshTests.epoch + day * NightlyRefreshTests.day)
                requests = requests.filter { kept.contains($0.request.query["q"] ?? "") }
            }
            for request in requests where request.fault == nil {
                let key = request.path + request.request.query.sorted { $0.key < $1.key }.description
                if !answered.insert(key).inserted { repeated.append(key) }
            }
            return Night(
                outcome: outcome, calls: transport.requests.count,
                conditional: transport.requests.count { $0.request.fields["if-none-match"] != nil })
        }

        /// The keys of the answers that the store has received since a time, as queries name them.
        private func renewedKeys(since time: Int64) throws -> Set<String> {
            let rows = try StoreFile.openForReading(path).prepare(
                "SELECT key FROM answers WHERE fetched_at >= \(time)")
            var keys: Set<String> = []
            while try rows.next() { keys.insert(rows.string(0)) }
            return keys
        }

        func number(_ sql: String) throws -> Int64 { try StoreFile.openForReading(path).number(sql) }

        func dump() throws -> String { try StoreFile.openForReading(path).canonicalDump() }

        func due(day: Int64) throws -> Int {
            var options = RefreshOptions()
            options.staleAfter = 30 * NightlyRefreshTests.day
            let clock = ManualClock(epoch: NightlyRefreshTests.epoch + day * NightlyRefreshTests.day)
            return try ImportJob.booksToRefresh(
                try RefreshRuns.request(path, options, name: "due"), options, clock: clock)
        }
    }

    @Test func `a night without news changes no book, and the next night asks nothing`() async throws {
        var nights = try await Nights(records: 60)
        let before = try nights.dump()
        #expect(try nights.due(day: 29) == 0)
        let night = try await nights.refresh(day: 31)
        #expect(night.outcome.end == .completed && night.calls > 40)
        // All that is sent is that the answers are still current.
        let confirmed = night.outcome.services.reduce(0) { $0 + $1.metrics.confirmed }
        #expect(night.conditional == night.calls && confirmed == night.calls)
        let renewed = Self.epoch + 31 * Self.day
        #expect(try nights.number("SELECT count(*) FROM answers WHERE fetched_at < \(renewed)") == 0)
        #expect(night.outcome.job.counts.booksUpdated == 0)
        #expect(night.outcome.job.counts.totalProcessed == Int(try nights.number(Self.isbns)))
        #expect(try nights.dump() == before)
        for table in JournaledTable.allCases {
            #expect(try nights.number("SELECT count(*) FROM \(table.images)") == 0, "\(table)")
        }
        #expect(try nights.due(day: 32) == 0)
        let second = try await nights.refresh(day: 32)
        #expect(second.calls == 0 && second.outcome.job.counts.totalProcessed == 0)
        #expect(try nights.due(day: 62) > 40)
    }

    @Test func `a budget ends the night, and the next one continues the job`() async throws {
        var nights = try await Nights(records: 100)
        let first = try await nights.refresh(day: 31, calls: 30)
        #expect(first.calls == 30)
        let left = try nights.due(day: 32)
        #expect(first.outcome.end == .unfinished(left: left, isSpent: true))
        #expect(first.outcome.job.status == .processing)
        let done = first.outcome.job.counts.totalProcessed
        let books = Int(try nights.number(Self.isbns))
        #expect(done > 0 && done + left == books)
        let second = try await nights.refresh(day: 32)
        #expect(second.outcome.end == .completed && second.outcome.job.id == first.outcome.job.id)
        #expect(second.outcome.job.counts.totalProcessed == done + left)
        #expect(nights.repeated.isEmpty)
    }

    @Test func `a night that is over ends, and the next one continues the job`() async throws {
        var nights = try await Nights(records: 100)
        // Each answer takes up to a second.
        let slow = FakeFaults(latencyMilliseconds: 1_000)
        let first = try await nights.refresh(day: 31, seconds: 20, faults: slow)
        let left = try nights.due(day: 32)
        #expect(first.outcome.end == .unfinished(left: left, isSpent: true))
        let done = first.outcome.job.counts.totalProcessed
        let books = Int(try nights.number(Self.isbns))
        #expect(done > 0 && done + left == books)
        let second = try await nights.refresh(day: 32)
        #expect(second.outcome.end == .completed && second.outcome.job.id == first.outcome.job.id)
        #expect(nights.repeated.isEmpty)
    }

    @Test func `a service that knows no book any more empties no field, and the night is undone`()
        async throws
    {
        var nights = try await Nights(records: 40)
        let before = try nights.dump()
        let night = try await nights.refresh(
            day: 31, unknown: true, expecting: ["expect=not_found <= 10 %", "on_violation=undo"])
        guard case .violated(let violations, undoneBy: .some) = night.outcome.end else {
            Issue.record("\(night.outcome.end)")
            return
        }
        #expect(violations.first?.hasPrefix("`not_found <= 10 %`") == true)
        #expect(try nights.dump() == before)
        // Without the expectation the values stay, too: values that a service no longer has are not removed.
        var others = try await Nights(records: 40)
        let second = try await others.refresh(day: 31, unknown: true)
        #expect(second.outcome.end == .completed && second.outcome.job.counts.booksUpdated == 0)
        #expect(try others.dump() == before)
    }

    @Test func `a service that is down empties no field, and its books come first the next night`()
        async throws
    {
        var nights = try await Nights(records: 40)
        let before = try nights.dump()
        let down = FakeFaults(share: 1, kinds: [.serverError])
        let night = try await nights.refresh(day: 31, faults: down)
        guard case .unfinished(let left, isSpent: false) = night.outcome.end else {
            Issue.record("\(night.outcome.end)")
            return
        }
        #expect(left > 30 && night.outcome.job.counts.booksUpdated == 0)
        #expect(try nights.dump() == before)
        let next = try await nights.refresh(day: 32)
        #expect(next.outcome.end == .completed && next.outcome.job.id == night.outcome.job.id)
    }

    /// With `ETL_NIGHTS=1`, a library of 5,000 books.
    private static let tenNights =
        ProcessInfo.processInfo.environment["ETL_NIGHTS"] == nil
        ? (books: 400, calls: 70) : (books: 5_000, calls: 700)

    @Test func `ten nights with faults, a kill and an outage refresh each book once`() async throws {
        var nights = try await Nights(records: Self.tenNights.books)
        let faults = FakeFaults(
            share: 0.1, kinds: [.throttled, .serverError, .cutOff, .brokenJSON, .page, .reset], seed: 5)
        let down = FakeFaults(share: 1, kinds: [.reset])
        var ends: [Int64] = []
        for day in 31...40 as ClosedRange<Int64> {
            let night = try await nights.refresh(
                day: day, calls: Self.tenNights.calls, faults: day == 35 ? down : faults,
                killedAfter: day == 33 ? 1 : nil)
            #expect(night.calls <= Self.tenNights.calls)
            if night.outcome.end == .completed { ends.append(day) }
            if try nights.due(day: day) == 0 { break }
        }
        #expect(try nights.due(day: 41) == 0, "\(ends)")
        #expect(nights.repeated.isEmpty)
        let books = try nights.number(Self.isbns)
        let since = Self.epoch + 31 * Self.day
        #expect(try nights.number("SELECT count(*) FROM refreshes WHERE asked_at >= \(since)") == books)
    }
}
