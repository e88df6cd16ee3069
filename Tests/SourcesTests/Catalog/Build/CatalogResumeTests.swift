import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Sources

@Suite struct CatalogResumeTests {
    typealias Dump = DumpFixture

    private let folder: TemporaryFolder
    private let files: [String]

    init() throws {
        folder = try TemporaryFolder()
        let editions = (1...60).map {
            Dump.edition(
                $0, #""title": "T\#($0)", "isbn_13": ["\#(DumpFixture.isbn($0))"]"#, work: $0 % 20 + 1)
        }
        let works = (1...20).map { Dump.work($0, #""title": "W\#($0)""#, author: $0 % 5 + 1) }
        let authors = (1...5).map { Dump.author($0, #""name": "A\#($0)""#) }
        files = [
            try folder.write(
                GzipBytes.stored(Array(editions.map { $0 + "\n" }.joined().utf8)), to: "editions.txt.gz"),
            try folder.write(
                (works + ["nothing of the kind"] + authors).map { $0 + "\n" }.joined(), to: "rest.txt"),
        ]
    }

    /// Each batch is a transaction, so that there are many moments to be killed at.
    private func builder(
        _ name: String = "catalog.sqlite", batchesPerCommit: Int = 1
    ) throws -> CatalogBuilder {
        try CatalogBuilder(
            output: folder.file(name), batchRecords: 7, batchesPerCommit: batchesPerCommit)
    }

    private func contents(_ name: String = "catalog.sqlite") throws -> [String] {
        try CatalogContents.rows(folder.file(name))
    }

    @Test func `a build killed after any batch or part resumes to the same catalog`() async throws {
        let whole = try await builder().build(from: files)
        let expected = try contents()
        let moments = Guarded(0)
        var watched = try builder("watched.sqlite")
        watched.observe = { [folder] _ in
            // All progress reported so far is committed: the files are what a kill would leave now.
            let moment = moments.withLock { count in
                count += 1
                return count
            }
            for suffix in [".building", ".building-journal", ".staging", ".staging-journal", ".index"] {
                try? FileManager.default.copyItem(
                    atPath: folder.file("watched.sqlite" + suffix),
                    toPath: folder.file("killed-\(moment).sqlite" + suffix))
            }
        }
        try await watched.build(from: files)
        let count = moments.withLock { $0 }
        #expect(count == 9 + 4 + 5)
        for moment in 1...count {
            let report = try await builder("killed-\(moment).sqlite").build(from: files)
            #expect(report == whole, "killed at \(moment)")
            #expect(try contents("killed-\(moment).sqlite") == expected, "killed at \(moment)")
        }
    }

    @Test(arguments: [2, 5, 13])
    func `a build with several batches per transaction resumes after the last commit`(together: Int)
        async throws
    {
        try await builder("whole.sqlite").build(from: files)
        let expected = try contents("whole.sqlite")
        for stopAt in [1, 30, 60, 80] {
            let name = "stopped-\(stopAt).sqlite"
            var stopped = try builder(name, batchesPerCommit: together)
            let stop = StopSignal()
            stopped.stop = stop
            stopped.observe = { if $0.lines > stopAt { stop.raise() } }
            #expect(try await stopped.run(files).report == nil)
            let report = try await builder(name, batchesPerCommit: together).build(from: files)
            #expect(report.sources.map(\.lines) == [60, 26])
            #expect(try contents(name) == expected, "stopped at \(stopAt)")
        }
    }

    @Test func `a stopped build resumes without reading twice`() async throws {
        try await builder("whole.sqlite").build(from: files)
        var stopped = try builder()
        let stop = StopSignal()
        stopped.stop = stop
        stopped.observe = { if $0.lines > 20 { stop.raise() } }
        #expect(try await stopped.run(files).report == nil)
        #expect(!folder.names.contains("catalog.sqlite"))
        let lines = Guarded<[Int]>([])
        var resumed = try builder()
        resumed.observe = { progress in lines.withLock { $0.append(progress.lines) } }
        try await resumed.build(from: files)
        #expect(lines.withLock { $0.first } ?? 0 > 21)
        #expect(try contents() == contents("whole.sqlite"))
        #expect(
            folder.names.allSatisfy {
                !$0.contains("building") && !$0.contains("staging") && !$0.contains("index")
            })
    }

    @Test func `a build stopped while the catalog is written resumes`() async throws {
        try await builder("whole.sqlite").build(from: files)
        for phase in CatalogBuildProgress.Phase.allCases where phase != .reading {
            let stop = StopSignal()
            var stopped = try builder()
            stopped.stop = stop
            stopped.observe = { if $0.phase == phase { stop.raise() } }
            #expect(try await stopped.run(files).report == nil, "\(phase)")
            #expect(try await builder().run(files).report != nil, "\(phase)")
            #expect(try contents() == contents("whole.sqlite"), "\(phase)")
        }
    }

    @Test func `an index interrupted while it was written is written again`() async throws {
        try await builder("whole.sqlite").build(from: files)
        var stopped = try builder()
        let stop = StopSignal()
        stopped.stop = stop
        stopped.observe = { if $0.phase == .editions { stop.raise() } }
        #expect(try await stopped.run(files).report == nil)
        try CatalogContents.writeDamagedDatabase(folder.file("catalog.sqlite.index"))
        try await builder().build(from: files)
        #expect(try contents() == contents("whole.sqlite"))
    }

    @Test func `different files start a new build`() async throws {
        let stop = StopSignal()
        var stopped = try builder()
        stopped.stop = stop
        stopped.observe = { _ in stop.raise() }
        _ = try await stopped.run(files)
        #expect(folder.names.contains("catalog.sqlite.staging"))
        let report = try await builder().build(from: [files[1]])
        #expect(report.sources.map(\.lines) == [26])
        #expect(report.isbns == 0)
    }

    @Test func `counts and samples include all runs`() async throws {
        let stop = StopSignal()
        var stopped = try builder()
        stopped.stop = stop
        stopped.observe = { if $0.lines > 82 { stop.raise() } }
        _ = try await stopped.run(files)
        let report = try await builder().build(from: files)
        #expect(report.sources.map(\.lines) == [60, 26])
        #expect(report.malformed == [.unknownKind: 1])
        #expect(report.samples.map(\.line) == [21])
    }
}
