import Database
import FakeServices
import Formats
import Foundation
import Jobs
import Services
import Sources
import Store
import System
import TestSupport

/// A simulated evening: an import with the true limits of Open Library and Wikidata, of a user who has set
/// nothing but a contact. Waiting takes no time (``SkippingClock``).
struct EveningImport {
    /// Maximum latency of a response in milliseconds; half of it on average.
    static let latency = 1_000
    private static let services = ["openlibrary", "wikidata"]
    /// Seconds after which the second import is stopped.
    private static let stopAfter: Double = 300

    let records: Int

    /// Prints an import's progress, the queries of the next evening, and the same for an import that is
    /// stopped and resumed.
    func measure() async throws {
        let folder = try TemporaryFolder()
        let library = try LibraryImport(records: records, distinct: true, in: folder)
        let clock = SkippingClock()
        defer { clock.end() }

        print("plan", try await forecast(library, nil, clock))
        let store = folder.file("evening.sqlite")
        let watch = LibraryWatch(store, clock)
        let began = clock.nanoseconds()
        let outcome = try await watch.follow { observe in
            try await library.run(into: store, settings(folder, clock), clock: clock, observing: observe)
        }
        watch.printTenths()
        watch.printShares()
        try printEnd(outcome)
        print("plan for the next evening", try await forecast(library, store, clock))
        let day: UInt64 = 86_400_000_000_000
        await clock.sleep(nanoseconds: day - (clock.nanoseconds() - began))
        let second = try await library.run(into: store, settings(folder, clock), named: "again", clock: clock)
        print("the next evening")
        try printEnd(second)

        let stopped = folder.file("stopped.sqlite")
        let stop = StopSignal()
        let timer = Task {
            await clock.sleep(nanoseconds: UInt64(Self.stopAfter * 1e9))
            stop.raise()
        }
        let first = try await library.run(into: stopped, settings(folder, clock), clock: clock, stop: stop)
        timer.cancel()
        print("stopped after \(Int(Self.stopAfter)) s")
        try printEnd(first)
        print("plan", try await forecast(library, stopped, clock))
        let later = LibraryWatch(stopped, clock)
        let resumed = try await later.follow { observe in
            try await library.run(
                into: stopped, settings(folder, clock), again: true, clock: clock, observing: observe)
        }
        print("resumed")
        later.printTenths()
        later.printShares()
        try printEnd(resumed)
    }

    /// Settings of a user who has set a contact, with the services' own limits.
    static func settings(_ names: [String], _ transport: FakeTransport) -> ServiceSettings {
        var settings = ServiceSettings()
        settings.contact = "user@example.org"
        for name in names {
            settings.asked[name] = ServiceConfiguration(
                ServiceEndpoint("http://fake.test/\(name)", key: "key"))
        }
        settings.transport = transport
        return settings
    }

    private func settings(_ folder: TemporaryFolder, _ clock: SkippingClock) -> ServiceSettings {
        var faults: [String: FakeFaults] = [:]
        for name in Self.services { faults[name] = FakeFaults(latencyMilliseconds: Self.latency) }
        let transport = FakeTransport(FakeServices(faults: faults), clock: clock)
        var settings = Self.settings(Self.services, transport)
        settings.stateFolder = folder.file("state")
        return settings
    }

    private func forecast(
        _ library: LibraryImport, _ store: String?, _ clock: SkippingClock
    ) async throws -> String {
        let folder = try TemporaryFolder()
        let forecast = try await ForecastImport(
            ReadSettings(files: [library.file]), catalogPaths: [], services: settings(folder, clock),
            store: store, clock: clock
        ).forecast()
        return forecast.services.map { service in
            let seconds = service.seconds
            return
                "\(service.name) calls \(service.calls) seconds \(Int(seconds.lowerBound))...\(Int(seconds.upperBound))"
        }.joined(separator: ", ")
    }

    private func printEnd(_ outcome: ImportOutcome) throws {
        print("  seconds \(outcome.milliseconds / 1_000) pending \(outcome.job.pending)")
        for service in outcome.services {
            print("  \(service.name) calls \(service.metrics.calls)")
        }
    }
}
