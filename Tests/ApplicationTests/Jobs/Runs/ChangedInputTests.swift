import Formats
import Foundation
import Store
import System
import TestSupport
import Testing

@testable import Jobs

/// Files that change while a run reads them.
@Suite struct ChangedInputTests {
    private var sample: SampleImport
    private let whole: String

    init() async throws {
        sample = try await SampleImport()
        // Many more batches than the window, so that something is unread when the file changes.
        (sample.batchRecords, sample.batchesPerCommit, sample.asksCatalog) = (2, 1, false)
        try await sample.run("whole.sqlite")
        whole = try sample.dump("whole.sqlite")
    }

    /// Ways a file may change during a run.
    enum Change: CaseIterable, Sendable {
        case cut, grown, rewritten, replaced, withoutLastRecord

        func make(of path: String) throws {
            let url = URL(filePath: path)
            let bytes = try Data(contentsOf: url)
            switch self {
            case .cut: try FileHandle(forWritingTo: url).truncate(atOffset: UInt64(bytes.count / 4))
            case .grown:
                let file = try FileHandle(forWritingTo: url)
                try file.seekToEnd()
                try file.write(contentsOf: Data("999,Reef,Ann Lee\n".utf8))
            case .rewritten:
                let file = try FileHandle(forWritingTo: url)
                try file.seek(toOffset: UInt64(bytes.count - 200))
                try file.write(contentsOf: Data(repeating: UInt8(ascii: "x"), count: 100))
            case .replaced: try bytes.write(to: url, options: .atomic)
            case .withoutLastRecord:
                let last = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? 0
                try FileHandle(forWritingTo: url).truncate(atOffset: UInt64(last + 1))
            }
        }
    }

    private func copy(_ name: String) throws -> String {
        let copy = sample.folder.file(name)
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(
            atPath: ProjectFiles.sample("goodreads_library_export.csv"), toPath: copy)
        return copy
    }

    /// Imports and makes a change after a commit, by default the first.
    private func run(
        _ sample: SampleImport, after commit: Int = 0, _ change: @escaping @Sendable () throws -> Void
    ) async throws -> ImportOutcome {
        try await sample.run(
            "s.sqlite", observingCommits: { if $0 == .afterCommit(batch: commit) { try? change() } })
    }

    @Test(arguments: Change.allCases)
    func `the run fails, and continues when the old file is back`(change: Change) async throws {
        var sample = sample
        let path = try copy("export.csv")
        sample.files = [path]
        let outcome = try await run(sample) { try change.make(of: path) }
        let failure = try #require(outcome.end.failure)
        #expect(failure.kind == .unusableInput)
        #expect(failure.message.hasPrefix("`\(path)` changed while it was read: "))
        #expect(failure.advice?.description.contains("resume") == true)
        #expect(outcome.job.status == .failed)
        #expect(outcome.job.isUnfinished)
        #expect((1..<135).contains(outcome.job.counts.totalProcessed))

        _ = try copy("export.csv")
        let resumed = try await sample.run("s.sqlite")
        #expect(resumed.end == .completed)
        #expect(resumed.job.name == outcome.job.name)
        #expect(try sample.dump("s.sqlite") == whole)
    }

    @Test func `a compressed file that is cut is reported as changed, not as damaged`() async throws {
        var sample = sample
        let bytes = try Data(contentsOf: URL(filePath: sample.files[0]))
        let path = try sample.folder.write(GzipBytes.stored(Array(bytes)), to: "export.csv.gz")
        sample.files = [path]
        let outcome = try await run(sample) {
            try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 2_000)
        }
        #expect(outcome.end.failure?.kind == .unusableInput)
        #expect(outcome.end.failure?.message.contains("changed while it was read") == true)
    }

    @Test func `a record limit does not hide the change`() async throws {
        var sample = sample
        let path = try copy("export.csv")
        sample.files = [path]
        var request = try sample.request(store: sample.folder.file("s.sqlite"))
        request.reading.limit = 60
        let outcome = try await ImportJob(
            request, clock: ManualClock(),
            observingCommits: {
                if $0 == .afterCommit(batch: 0) { try? Change.rewritten.make(of: path) }
            }
        ).run()
        #expect(outcome.end.failure?.kind == .unusableInput)
    }

    @Test func `an unchanged file completes with a record limit`() async throws {
        for limit in [1, 60, 134, 135, 136] {
            var request = try sample.request(store: sample.folder.file("\(limit).sqlite"))
            request.reading.limit = limit
            let outcome = try await ImportJob(request, clock: ManualClock()).run()
            #expect(outcome.end == .completed)
            #expect(outcome.job.counts.totalProcessed == min(limit, 135))
        }
    }

    @Test func `each of several files is checked`() async throws {
        var sample = sample
        let paths = try [copy("first.csv"), copy("second.csv")]
        sample.files = paths
        let outcome = try await run(sample) { try Change.cut.make(of: paths[1]) }
        #expect(outcome.end.failure?.message.hasPrefix("`\(paths[1])` changed while it was read: ") == true)
        #expect((1...135).contains(outcome.job.counts.totalProcessed))
        _ = try copy("second.csv")
        let resumed = try await sample.run("s.sqlite")
        #expect(resumed.end == .completed)
        #expect(resumed.job.counts.totalProcessed == 270)
    }

    @Test func `a file that was read to its end may change`() async throws {
        var sample = sample
        let paths = try [copy("first.csv"), copy("second.csv")]
        sample.files = paths
        let outcome = try await run(sample, after: 100) { try Change.cut.make(of: paths[0]) }
        #expect(outcome.end == .completed)
        #expect(outcome.job.counts.totalProcessed == 270)
    }

    @Test func `a deleted file is read to its end`() async throws {
        var sample = sample
        let path = try copy("export.csv")
        sample.files = [path]
        let outcome = try await run(sample) { try FileManager.default.removeItem(atPath: path) }
        #expect(outcome.end == .completed)
        #expect(try sample.dump("s.sqlite") == whole)
    }
}
