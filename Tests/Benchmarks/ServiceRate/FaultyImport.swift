import Application
import Books
import Database
import FakeServices
import Foundation
import Pipeline
import Services
import TestSupport

/// Imports a library from services that fail now and then, and compares each import with one from services
/// that never fail.
struct FaultyImport {
    /// Requests per second that each service allows.
    private static let limits = ServiceLimits(rate: .init(perSecond: 200, burst: 20), concurrency: 50)
    /// How often a job is resumed at most.
    private static let resumeLimit = 20

    let records: Int

    /// Prints, for each share of failing requests: seconds until nothing is pending, how often the job was
    /// resumed, whether the library is the same, and the smallest share of answered books that had their
    /// answers in the library.
    func measure() async throws {
        let folder = try TemporaryFolder()
        let library = try LibraryImport(records: records, in: folder)
        var reference: (seconds: Double, dump: String)?
        for percent in [0, 10, 30] {
            let server = try ServiceProcess(failing: percent)
            let store = folder.file("\(percent).sqlite")
            var settings = ServiceSettings.fake(at: server.url, limits: Self.limits)
            settings.stateFolder = folder.file("state-\(percent)")
            let watch = Task { await Self.smallestShare(in: store) }
            let began = SystemClock().nanoseconds()
            var outcome = try await library.run(into: store, settings)
            let firstPending = outcome.job.pending
            var resumes = 0
            while outcome.job.pending > 0, resumes < Self.resumeLimit {
                resumes += 1
                outcome = try await library.run(into: store, settings, again: true)
            }
            let seconds = Double(SystemClock().nanoseconds() - began) / 1e9
            watch.cancel()
            let share = await watch.value
            try server.stop()
            let dump = try StoreFile.openForReading(store).canonicalDump()
            let known = reference ?? (seconds, dump)
            reference = known
            print(
                "faults \(percent) % seconds \(Int(seconds)) ratio \(Self.decimals(seconds / known.seconds))",
                "pending after the run \(firstPending) resumes \(resumes) left \(outcome.job.pending)",
                "same \(dump == known.dump) enriched of answered at least \(Int(100 * share)) %")
            for service in outcome.services {
                print(
                    "  \(service.name) calls \(service.metrics.calls) throttled \(service.metrics.throttled)")
            }
        }
    }

    private static func decimals(_ number: Double) -> Double { (number * 100).rounded() / 100 }

    /// The smallest share of books with an answer that had one in the library, looked up each half second
    /// until the task is cancelled.
    private static func smallestShare(in store: String) async -> Double {
        var smallest = 1.0
        while !Task.isCancelled {
            await SystemClock().sleep(nanoseconds: 500_000_000)
            guard let connection = try? StoreFile.openIfStarted(store),
                let answered = try? connection.number(
                    "SELECT count(DISTINCT key) FROM answers WHERE key LIKE 'isbn:%' AND body IS NOT NULL"),
                let enriched = try? connection.number(
                    "SELECT count(*) FROM editions WHERE providers <> ''"), answered > 0
            else { continue }
            smallest = min(smallest, Double(enriched) / Double(answered))
        }
        return smallest
    }
}
