import FakeServices
import Foundation
import Jobs
import Pipeline
import Queries
import Services
import Sources
import Store
import System
import TestSupport

/// Imports a library whose answers are all cached: the cost of the rest of an import, including the lookup.
struct WarmImport {
    let records: Int

    /// Prints records per second from the file to the last commit, once with one service and once with all of
    /// them.
    func measure() async throws {
        let folder = try TemporaryFolder()
        let library = try LibraryImport(records: records, in: folder)
        let limits = ServiceLimits(rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: 64)
        for services in [["google-books"], FakeServices.names] {
            let name = "\(services.count)"
            let known = folder.file("known-\(name).sqlite")
            var settings = ServiceSettings.fake(at: "http://fake.test", services, limits: limits)
            settings.transport = FakeTransport(FakeServices(), clock: SystemClock())
            settings.firstWaitPolicy = .noTimeout
            _ = try await library.run(into: known, settings)
            var answers = Data()
            _ = try AnswerExport(StoreFile.openForReading(known)).write(service: nil) { bytes in
                answers.append(contentsOf: bytes)
            }
            let path = folder.file("answers-\(name).ndjson")
            try answers.write(to: URL(fileURLWithPath: path))
            let warm = folder.file("warm-\(name).sqlite")
            _ = try AnswerImport.take(path, into: warm, readBy: ServiceDefinition.all.map(\.reader))
            let outcome = try await library.run(into: warm, settings)
            let calls = outcome.services.reduce(0) { $0 + $1.metrics.calls }
            let rate = records * 1_000 / max(1, Int(outcome.milliseconds))
            print(
                "services \(services.count) records/s \(rate) calls \(calls) pending \(outcome.job.pending)")
            for stage in outcome.report.stages {
                print("  \(stage.name) busy \(stage.busy / 1_000_000) ms")
            }
        }
    }
}
