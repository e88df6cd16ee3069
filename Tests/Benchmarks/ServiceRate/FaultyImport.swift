import Database
import FakeServices
import Foundation
import Jobs
import Services
import Sources
import Store
import System
import TestSupport

/// Imports a library from services that fail now and then, and compares each import with one from services
/// that never fail.
struct FaultyImport {
    /// Requests per second that each service allows, a hundred times the real ones.
    private static let rate = 200.0
    private static let limits = ServiceLimits(rate: .init(perSecond: 2)).limited(perSecond: rate)
    /// Maximum number of times that a job is resumed.
    private static let resumeLimit = 20
    /// The pause in seconds that a fake service asks for (`FakeFaults.Kind.throttledWithPause`).
    private static let askedPause = 2

    let records: Int

    /// Imports from fast services over real sockets.
    func measure() async throws {
        try await compare(clock: SystemClock()) { percent, folder in
            let server = try ServiceProcess(failing: percent)
            var settings = ServiceSettings.fake(at: server.url, limits: Self.limits)
            settings.stateFolder = folder.file("state-\(percent)")
            return (settings, nil, { try server.stop() })
        }
    }

    /// Imports with the services' true limits and true latencies. Waiting takes no time (``SkippingClock``).
    func simulate() async throws {
        let clock = SkippingClock()
        defer { clock.end() }
        try await compare(clock: clock) { percent, folder in
            var faults: [String: FakeFaults] = [:]
            for name in FakeServices.names {
                faults[name] = FakeFaults(
                    share: Double(percent) / 100, kinds: FakeFaults.kinds(of: name),
                    latencyMilliseconds: EveningImport.latency)
            }
            let transport = FakeTransport(FakeServices(faults: faults), clock: clock)
            var settings = EveningImport.settings(FakeServices.names, transport)
            // A paid plan: otherwise the daily budget would end the run.
            for name in ["google-books", "isbndb"] { settings.asked[name]?.daily = 1_000_000 }
            settings.stateFolder = folder.file("state-\(percent)")
            return (settings, transport, {})
        }
    }

    private typealias Services = (
        settings: ServiceSettings, transport: FakeTransport?, stop: () throws -> Void
    )

    /// Prints, for each share of failing requests: seconds until nothing is pending, how often the job was
    /// resumed, whether the library is the same, and how far it was behind the answers.
    private func compare(
        clock: any RunClock, _ start: (Int, TemporaryFolder) throws -> Services
    ) async throws {
        let folder = try TemporaryFolder()
        let library = try LibraryImport(records: records, in: folder)
        var reference: (seconds: Double, dump: String)?
        for percent in [0, 10, 30] {
            let services = try start(percent, folder)
            let store = folder.file("\(percent).sqlite")
            let watch = LibraryWatch(store, clock)
            let began = clock.nanoseconds()
            var resumes = 0
            let outcome = try await watch.follow { observe in
                var outcome = try await library.run(
                    into: store, services.settings, clock: clock, observing: observe)
                while outcome.job.pending > 0, resumes < Self.resumeLimit {
                    resumes += 1
                    outcome = try await library.run(
                        into: store, services.settings, again: true, clock: clock, observing: observe)
                }
                return outcome
            }
            let seconds = Double(clock.nanoseconds() - began) / 1e9
            try services.stop()
            let dump = try StoreFile.openForReading(store).canonicalDump()
            let known = reference ?? (seconds, dump)
            reference = known
            let ratio = (seconds / known.seconds * 100).rounded() / 100
            print(
                "faults \(percent) % seconds \(Int(seconds)) ratio \(ratio) resumes \(resumes)",
                "left \(outcome.job.pending) same \(dump == known.dump)")
            watch.printShares()
            for service in outcome.services {
                print(
                    "  \(service.name) calls \(service.metrics.calls) throttled \(service.metrics.throttled)")
            }
            guard let transport = services.transport else { continue }
            let asked = transport.requests.filter { $0.fault == .throttledWithPause }
            print("  seconds of pauses asked for", terminator: "")
            for name in FakeServices.names {
                print(" \(name) \(asked.count { $0.service == name } * Self.askedPause)", terminator: "")
            }
            print()
        }
    }
}
