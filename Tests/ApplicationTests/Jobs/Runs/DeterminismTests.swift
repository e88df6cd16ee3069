import Jobs
import System
import TestSupport
import Testing

@testable import Store

/// Same input and same answers give the same results, whatever the concurrency and timing.
@Suite struct DeterminismTests {
    @Test func `workers and delays do not change the result`() async throws {
        let sample = try await SampleImport()
        try await sample.run("reference.sqlite")
        let reference = try sample.dump("reference.sqlite")
        #expect(reference.split(separator: "\n").count > 300)
        for (number, workers) in [1, 2, 8].enumerated() {
            for seed in [3, 1_009] as [UInt64] {
                let store = "w\(workers)-\(seed).sqlite"
                try await sample.run(
                    store, reshaping: { $0.delayed(seed: seed &+ UInt64(number), workers: workers) })
                #expect(try sample.dump(store) == reference, "\(workers) workers, seed \(seed)")
            }
        }
    }

    @Test(arguments: [1, 7, 1_024])
    func `the batch size does not change the result`(records: Int) async throws {
        var sample = try await SampleImport()
        try await sample.run("reference.sqlite")
        sample.batchRecords = records
        try await sample.run("other.sqlite")
        #expect(try sample.dump("other.sqlite") == sample.dump("reference.sqlite"))
    }

    @Test func `bulk loading gives the same result as looking up every key`() async throws {
        var sample = try await SampleImport()
        try await sample.run("bulk.sqlite")
        // With few recent keys they are flushed again and again and looked up on disk. Without memory for rows,
        // each changed work and edition is written at once.
        for (number, limits) in [
            ResultsStore.Limits(recentKeys: 1 << 17, usesFilters: false),
            ResultsStore.Limits(recentKeys: 4, usesFilters: true),
            ResultsStore.Limits(recentKeys: 1, usesFilters: false, rowBytes: 0),
            ResultsStore.Limits(recentKeys: 1 << 17, usesFilters: true, rowBytes: 20_000),
        ].enumerated() {
            sample.limits = limits
            try await sample.run("incremental\(number).sqlite")
            #expect(try sample.dump("incremental\(number).sqlite") == sample.dump("bulk.sqlite"))
        }
    }

    @Test func `importing the same file again changes nothing`() async throws {
        let sample = try await SampleImport()
        let first = try await sample.run("s.sqlite")
        let before = try sample.dump("s.sqlite")
        let again = try await sample.run("s.sqlite")
        #expect(again.end == .completed)
        #expect(again.job.counts.booksCreated == 0)
        #expect(again.job.counts.booksUpdated == 0)
        #expect(again.job.counts.duplicatesSkipped == first.job.counts.successCount)
        #expect(again.job.counts.rejected == first.job.counts.rejected)
        #expect(try sample.dump("s.sqlite") == before)
    }
}
