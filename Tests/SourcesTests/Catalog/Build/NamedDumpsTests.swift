import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Sources

/// Which of the given files are read, in which order, and what is reported about the others.
@Suite struct NamedDumpsTests {
    typealias Dump = DumpFixture

    private let folder: TemporaryFolder
    private let warnings = Guarded<[CatalogBuildWarning]>([])
    private let editions: String
    private let works: String

    init() throws {
        folder = try TemporaryFolder()
        editions = try folder.write(
            (1...30).map { Dump.edition($0, #""isbn_13": ["\#(Dump.isbn($0))"]"#, work: 1) + "\n" }.joined(),
            to: "ol_dump_editions.txt")
        works = try folder.write(
            (1...20).map { Dump.work($0, #""title": "W\#($0)""#) + "\n" }.joined(), to: "ol_dump_works.txt")
    }

    private func builder(_ name: String = "catalog.sqlite") throws -> CatalogBuilder {
        var builder = try CatalogBuilder(output: folder.file(name), batchRecords: 7, batchesPerCommit: 1)
        builder.note = { [warnings] warning in warnings.withLock { $0.append(warning) } }
        return builder
    }

    /// Leaves an unfinished build.
    private func stop(_ files: [String], updates: Bool = false) async throws {
        var builder = try builder()
        let stop = StopSignal()
        builder.stop = stop
        builder.updates = updates
        builder.observe = { if $0.lines > 10 { stop.raise() } }
        #expect(try await builder.run(files).report == nil)
    }

    @Test func `Open Library dumps without books are skipped and named`() async throws {
        let others = [
            try folder.write("/works/OL1W\t/books/OL1M\t5\t2020-01-01\n", to: "stars.txt"),
            try folder.write(
                GzipBytes.stored(Array("/works/OL1W\t\tWant to Read\t2020-01-01\n".utf8)), to: "read.gz"),
            try folder.write("240726\t180\t280\t2010-01-01\n", to: "ol_dump_covers_metadata_2026-06-30.txt"),
            try folder.write("", to: "ol_dump_ratings_2026-06-30.txt"),
        ]
        let report = try await builder().build(from: [others[0], editions] + others[1...] + [works])
        #expect(report.sources.map(\.name) == [editions, works])
        #expect(warnings.withLock { $0 } == others.map { .skips(path: $0) })
        let none = try builder("none.sqlite")
        let refusal = await #expect(throws: ETLError.self) { try await none.build(from: others) }
        #expect(refusal?.kind == .unusableInput)
        #expect(refusal?.message == "`\(others[0])` is an Open Library dump that contains no books.")
    }

    @Test func `a file named twice is read once`() async throws {
        let link = folder.file("link.txt")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: editions)
        let report = try await builder().build(from: [editions, works, editions, link])
        #expect(report.sources.map(\.name) == [editions, works])
        #expect(report.read.editions == 30)
    }

    @Test func `an unfinished build resumes whatever the order of its files`() async throws {
        try await builder("whole.sqlite").build(from: [editions, works])
        for stopAt in [[editions, works], [works, editions]] {
            try await stop(stopAt)
            let lines = Guarded<[Int]>([])
            var resumed = try builder()
            resumed.observe = { progress in lines.withLock { $0.append(progress.lines) } }
            let report = try await resumed.build(from: stopAt.reversed())
            #expect(lines.withLock { $0.first } ?? 0 > 14)
            #expect(report.sources.map(\.name) == stopAt)
            #expect(
                try CatalogContents.rows(folder.file("catalog.sqlite"))
                    == CatalogContents.rows(folder.file("whole.sqlite")))
        }
        #expect(warnings.withLock { $0 } == [])
    }

    @Test func `an unfinished build that cannot be resumed is reported before it is discarded`()
        async throws
    {
        let path = folder.file("catalog.sqlite")
        func expect(_ reason: CatalogBuildWarning.Reason, isRead: Bool = true) {
            let reported = warnings.withLock { $0 }
            warnings.withLock { $0 = [] }
            guard case .discards(let lines, path, reason)? = reported.first, reported.count == 1 else {
                Issue.record("\(reported) is reported, not \(reason).")
                return
            }
            #expect((lines > 0) == isRead)
        }
        try await stop([editions])
        try await builder().build(from: [works])
        expect(.otherFiles)
        try await stop([editions])
        try await builder().build(from: [editions, works])
        expect(.otherFiles)

        try await stop([editions])
        var update = try builder()
        update.updates = true
        try await update.build(from: [editions])
        expect(.noUpdate)
        try await stop([editions], updates: true)
        try await builder().build(from: [editions])
        expect(.update)

        try await stop([editions])
        try CatalogContents.writeDamagedDatabase(folder.file("catalog.sqlite.staging"))
        try await builder().build(from: [editions])
        expect(.unreadable, isRead: false)

        try await stop([editions])
        try moveWithinCommit()
        try await builder().build(from: [editions])
        expect(.moved, isRead: false)
        try await builder().build(from: [editions])
        #expect(warnings.withLock { $0 } == [])
    }

    /// Makes the files of a build look as if it had been killed within a commit over two files, in a folder that
    /// has another name now.
    private func moveWithinCommit() throws {
        let name = "catalog.sqlite.building-mj0A1B2C945"
        _ = try folder.write("", to: name)
        let former = Array("/a/folder/with/a/former/name/\(name)".utf8)
        let sum = UInt32(former.reduce(0) { $0 + Int($1) })
        var journal = [UInt8](repeating: 0, count: 512) + former
        for number in [UInt32(former.count), sum] { withUnsafeBytes(of: number.bigEndian) { journal += $0 } }
        journal += [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        _ = try folder.write(journal, to: "catalog.sqlite.staging-journal")
    }

    @Test func `a dump that is already in the catalog is listed once`() async throws {
        try await builder().build(from: [editions, works])
        var update = try builder()
        update.updates = true
        try await update.build(from: [editions])
        let sources = try await Catalog(folder.file("catalog.sqlite")).describe().sources
        #expect(sources.map(\.name) == ["ol_dump_works.txt", "ol_dump_editions.txt"])
    }

    @Test func `the catalog is built at the target of a link`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("elsewhere"), withIntermediateDirectories: false)
        let (link, target) = (folder.file("catalog.sqlite"), folder.file("elsewhere/target.sqlite"))
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "elsewhere/target.sqlite")
        try await stop([editions])
        #expect(folder.names.allSatisfy { !$0.contains("staging") })
        #expect(FileManager.default.fileExists(atPath: target + ".staging"))
        for files in [[editions], [editions, works]] {
            let outcome = try await builder().run(files)
            #expect(outcome.path == link)
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: link) == "elsewhere/target.sqlite")
            #expect(try await Catalog(target).describe().sources.count == files.count)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("elsewhere")) == ["target.sqlite"]
        )
    }
}
