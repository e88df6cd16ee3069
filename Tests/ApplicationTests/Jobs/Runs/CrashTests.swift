import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Store

/// A crash loses nothing and repeats nothing. A copy of the store after a batch or at a commit is what `kill
/// -9` at that moment would leave.
@Suite struct CrashTests {
    @Test(arguments: [1, 3])
    func `an import killed at any commit resumes to the result of an uninterrupted one`(batches: Int)
        async throws
    {
        var sample = try await SampleImport()
        sample.batchesPerCommit = batches
        try await sample.run("whole.sqlite")
        let whole = try sample.dump("whole.sqlite")

        let copies = CommitCopies(of: "watched.sqlite", in: sample.folder)
        try await sample.run("watched.sqlite", observingCommits: copies.take)
        let names = copies.names
        #expect(names.count > 30 / batches)
        for name in names {
            let resumed = try await sample.run(name)
            #expect(resumed.end == .completed)
            #expect(resumed.job.counts.totalProcessed == 135, "\(name)")
            #expect(try sample.dump(name) == whole, "\(name)")
        }
    }

    @Test
    func
        `an import killed within a transaction with pages on disk resumes to the result of an uninterrupted one`()
        async throws
    {
        var sample = try await SampleImport()
        sample.batchRecords = 8
        sample.batchesPerCommit = nil
        sample.limits.indexes.leastPages = 1 << 16
        try await sample.run("whole.sqlite")
        let whole = try sample.dump("whole.sqlite")

        let copies = CommitCopies(of: "watched.sqlite", in: sample.folder)
        try await sample.run("watched.sqlite", observingCommits: copies.take)
        #expect(copies.hotCount > 3)
        for name in copies.names {
            let resumed = try await sample.run(name)
            #expect(resumed.end == .completed)
            #expect(resumed.job.counts.totalProcessed == 135, "\(name)")
            #expect(try sample.dump(name) == whole, "\(name)")
        }
    }

    /// Proves that the comparison in the tests above can fail: it must notice a checkpoint ahead of its
    /// results.
    @Test func `the comparison notices a checkpoint ahead of its results`() async throws {
        var sample = try await SampleImport()
        (sample.batchRecords, sample.batchesPerCommit) = (2, 1)
        try await sample.run("whole.sqlite")
        let store = sample.folder.file("ahead.sqlite")
        let stop = StopSignal()
        let outcome = try await sample.run(
            "ahead.sqlite", stop: stop,
            observing: { event in
                if case .ran(.committed) = event { stop.raise() }
            })
        #expect(outcome.end == .stopped)
        let connection = try Connection(store, .readWrite)
        let checkpoint = outcome.job.checkpoint
        let text = try String(contentsOfFile: sample.files[0], encoding: .utf8)
        let rest = Array(text.utf8)[Int(checkpoint.byte)...]
        let lineEnd = try #require(rest.firstIndex(of: UInt8(ascii: "\n")))
        try connection.execute(
            "UPDATE jobs SET byte = \(lineEnd + 1), line = line + 1, record = record + 1, tail_digest = NULL")
        try await sample.run("ahead.sqlite")
        #expect(try sample.dump("ahead.sqlite") != sample.dump("whole.sqlite"))
    }

    @Test func `a stopped import resumes without loss or repetition`() async throws {
        var sample = try await SampleImport()
        // Many more batches than the window, so that something is unread at the stop.
        sample.batchRecords = 2
        try await sample.run("whole.sqlite")
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let store = "stopped-\(seed).sqlite"
            var lives = 0
            while lives < 100 {
                lives += 1
                let stop = StopSignal()
                let left = Guarded(Int.random(in: 1...5, using: &random))
                let outcome = try await sample.run(
                    store, stop: stop,
                    observing: { event in
                        guard case .ran(.committed) = event else { return }
                        let isDue = left.withLock { left -> Bool in
                            left -= 1
                            return left == 0
                        }
                        if isDue { stop.raise() }
                    })
                if outcome.end == .completed { break }
                #expect(outcome.end == .stopped)
            }
            #expect(lives > 1)
            #expect(try sample.dump(store) == sample.dump("whole.sqlite"))
        }
    }

    @Test func `a changed file is not resumed`() async throws {
        var sample = try await SampleImport()
        sample.batchesPerCommit = 1
        let copy = sample.folder.file("export.csv")
        try FileManager.default.copyItem(atPath: sample.files[0], toPath: copy)
        sample.files = [copy]
        let stop = StopSignal()
        let first = try await sample.run(
            "s.sqlite", stop: stop,
            observing: { event in
                if case .ran(.committed) = event { stop.raise() }
            })
        #expect(first.end == .stopped)
        // Same size and fingerprint: only the bytes before the checkpoint differ.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
        bytes[Int(first.job.checkpoint.byte) - 3] ^= 1
        try bytes.write(to: URL(fileURLWithPath: copy))
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.jobName = first.job.name
        let failure = await failure(of: request)
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains(first.job.name) == true)
        // After the refusal the job is unchanged.
        let jobTable = JobTable(try StoreFile.openForReading(sample.folder.file("s.sqlite")))
        #expect(try jobTable.job(named: first.job.name)?.status == first.job.status)
    }

    private func failure(of request: ImportRequest) async -> ETLError? {
        do {
            _ = try await ImportJob(request, clock: ManualClock()).run()
            return nil
        } catch {
            return error
        }
    }
}
