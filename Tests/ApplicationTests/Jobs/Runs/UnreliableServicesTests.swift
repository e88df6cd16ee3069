import Foundation
import Jobs
import Services
import Store
import TestSupport
import Testing

@testable import Database
@testable import FakeServices
@testable import System

/// One service, or two, that are down, slow, wrong or lying, over real sockets: the others' answers reach the
/// library, nothing wrong does, and once the services behave, the library is as if they always had.
@Suite struct UnreliableServicesTests {
    enum Trouble: String, CaseIterable, CustomTestStringConvertible {
        /// Every connection is reset.
        case down
        /// No answer is in time for the first pass.
        case slow
        /// Every response is truncated.
        case wrong
        /// Every response is about another book.
        case lying

        var testDescription: String { rawValue }

        var faults: FakeFaults {
            switch self {
            case .down: FakeFaults(share: 1, kinds: [.reset])
            case .slow: FakeFaults(latencyMilliseconds: 40)
            case .wrong: FakeFaults(share: 1, kinds: [.brokenJSON])
            case .lying: FakeFaults(share: 1, kinds: [.mismatch])
            }
        }
    }

    private static let records = 40

    /// Each service with each trouble.
    static let single = FakeServices.names.flatMap { name in
        Trouble.allCases.map { [name: $0] }
    }

    /// Each pair of services with each trouble of the first, and the same or the next one of the second.
    static let pairs = FakeServices.names.indices.flatMap { first in
        (first + 1..<FakeServices.names.count).flatMap { second in
            Trouble.allCases.indices.map { number in
                let other = (number + (first + number) % 2) % Trouble.allCases.count
                return [
                    FakeServices.names[first]: Trouble.allCases[number],
                    FakeServices.names[second]: Trouble.allCases[other],
                ]
            }
        }
    }

    @Test(arguments: ["wikidata", "google-books"])
    func `a matched book is enriched, whatever another service leaves open`(service: String) async throws {
        let library = try NetworkImport(records: Self.records)
        let services = FakeServices(faults: [service: FakeFaults(share: 1, kinds: [.reset])])
        let server = try FakeServer { services.answer($0) }
        defer { server.stop() }
        let outcome = try await library.run("s.sqlite", library.settings(server), clock: ManualClock())
        let counts = outcome.job.counts
        #expect(outcome.end == .completed && outcome.job.pending > 20)
        let matched = try library.editions("s.sqlite", with: "openlibrary")
        #expect(matched > 20 && counts.enrichmentSucceeded >= matched)
        #expect(
            counts.enrichmentSucceeded + counts.enrichmentFailed == counts.booksCreated + counts.booksUpdated)
    }

    @Test(arguments: single + pairs)
    func `troubled services delay only their own answers`(_ troubles: [String: Trouble]) async throws {
        let library = try NetworkImport(records: Self.records)
        let (calm, moody) = (FakeServices(), FakeServices(faults: troubles.mapValues(\.faults)))
        let isTroubled = Guarded(false)
        let server = try FakeServer { request in
            isTroubled.withLock { $0 } ? moody.answer(request) : calm.answer(request)
        }
        defer { server.stop() }
        var settings = library.settings(server)
        settings.stateFolder = nil
        #expect(try await library.run("calm.sqlite", settings, clock: ManualClock()).job.pending == 0)
        let reference = try library.dump("calm.sqlite")

        isTroubled.withLock { $0 = true }
        settings.firstWaitPolicy = .timeout(0)
        let clock = ManualClock()
        var outcome = try await library.run("s.sqlite", settings, clock: clock)
        #expect(outcome.end == .completed)
        for name in ["openlibrary", "google-books", "isbndb"] {
            let now = try library.editions("s.sqlite", with: name)
            let all = try library.editions("calm.sqlite", with: name)
            switch troubles[name] {
            case nil, .slow: #expect(now * 10 >= all * 9, "\(name) has \(now) of \(all)")
            case .down, .wrong, .lying: #expect(now == 0, "\(name)")
            }
        }
        let waitsFor = Set(outcome.waiting.map(\.service))
        #expect(waitsFor.isSubset(of: troubles.keys))

        isTroubled.withLock { $0 = false }
        var resumes = 0
        while outcome.job.pending > 0, resumes < 2 {
            resumes += 1
            await clock.sleep(nanoseconds: 3_600_000_000_000)
            outcome = try await library.run("s.sqlite", settings, again: true, clock: clock)
        }
        #expect(outcome.job.pending == 0)
        #expect(try library.dump("s.sqlite") == reference)
    }
}
