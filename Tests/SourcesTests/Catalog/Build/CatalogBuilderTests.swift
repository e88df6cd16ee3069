import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Sources
@testable import Syntax
@testable import System

@Suite struct CatalogBuilderTests {
    typealias Dump = DumpFixture

    private let folder: TemporaryFolder
    private let good = DumpFixture.edition(1, #""isbn_13": ["9780306406157"], "title": "T""#) + "\n"

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ files: String...) async -> ETLError? {
        guard let builder = try? CatalogFixture.builder(folder) else { return nil }
        do throws(ETLError) {
            try await builder.build(from: files)
            return nil
        } catch {
            return error
        }
    }

    @Test func `plain and compressed files of every kind are read in any order`() async throws {
        let editions =
            GzipBytes.stored(Array(good.utf8)) + GzipBytes.stored(Array(Dump.edition(2, "", work: 1).utf8))
        let files = [
            try folder.write(editions, to: "editions.txt.gz"),
            try folder.write(
                Dump.author(1, #""name": "A""#) + "\n" + Dump.work(1, #""title": "W""#, author: 1),
                to: "mixed.txt"),
            try folder.write(
                "[\n{\"type\":\"item\",\"id\":\"Q5\",\"labels\":[],\"claims\":[]}\n]\n", to: "wikidata.json"),
        ]
        let report = try await CatalogFixture.builder(folder).build(from: files)
        #expect(report.read.editions == 2)
        #expect(report.isbns == 1)
        #expect(report.works == 1)
        #expect(report.authors == 1)
        #expect(report.read.others == 1)
        #expect(report.sources.map(\.provider) == ["openlibrary", "openlibrary", "wikidata"])
        #expect(report.sources.map(\.lines) == [2, 2, 3])
        #expect(report.sources.map(\.records) == [2, 2, 1])
        #expect(folder.names == ["catalog.sqlite", "editions.txt.gz", "mixed.txt", "wikidata.json"])

        let description = try await Catalog(folder.file("catalog.sqlite")).describe()
        #expect(description.provider == "openlibrary")
        #expect(description.builtAt == "2026-11-20T12:00:00Z")
        #expect(description.isbns == 1)
        #expect(description.works == 1)
        #expect(description.sources.map(\.name) == ["editions.txt.gz", "mixed.txt", "wikidata.json"])
        #expect(description.sources.map(\.provider) == ["openlibrary", "openlibrary", "wikidata"])
        #expect(description.sources.first?.bytes == Int64(editions.count))
        #expect(
            description.bytes
                == Int64(try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite"))).count))
    }

    @Test func `malformed lines are counted and sampled, and the build continues`() async throws {
        let long = "/type/edition\t/books/OL9M\t1\tx\t{" + String(repeating: " ", count: DumpLines.byteLimit)
        let lines = [
            "not a dump line", Dump.edition(3, #""title": "unclosed""#).replacing("}", with: "{"),
            "/type/edition\t/books/x\t1\tx\t{}",
            "/type/work\t/works/OL1W", long, "{\"P648\": }", "",
        ]
        let path = try folder.write(lines.map { $0 + "\n" }.joined() + good, to: "dump.txt")
        let report = try await CatalogFixture.builder(folder).build(from: [path])
        #expect(report.isbns == 1)
        #expect(report.malformed == [.unknownKind: 1, .badJSON: 2, .badKey: 1, .noRecord: 1, .tooLong: 1])
        #expect(report.sources.first?.malformed == 6)
        #expect(report.samples.map(\.line) == [1, 2, 3, 4, 5, 6])
        #expect(report.samples.allSatisfy { $0.file == path && $0.head.count <= 120 })
        #expect(report.samples.first?.head == "not a dump line")
    }

    @Test func `no more samples are kept than the limit`() async throws {
        let path = try folder.write(good + String(repeating: "x\n", count: 500), to: "dump.txt")
        let report = try await CatalogFixture.builder(folder).build(from: [path])
        #expect(report.malformed == [.unknownKind: 500])
        #expect(report.samples.count == CatalogBuildReport.sampleLimit)
    }

    @Test func `empty files are rejected, including an empty gzip file`() async throws {
        for (name, bytes) in [("empty.txt", []), ("empty.gz", GzipBytes.stored([]))] {
            let path = try folder.write(bytes, to: name)
            let refusal = await failure(try folder.write(good, to: "good.txt"), path)
            #expect(refusal?.kind == .unusableInput)
            #expect(refusal?.message == "`\(path)` is empty.")
        }
        #expect(!folder.names.contains("catalog.sqlite"))
        #expect(folder.names.count == 3)
    }

    @Test func `truncated files are rejected`() async throws {
        let packed = GzipBytes.stored(Array(good.utf8))
        let gzip = try folder.write(Array(packed.dropLast(9)), to: "cut.gz")
        #expect(await failure(gzip)?.message == "`\(gzip)` is truncated: the gzip data ends too early.")
        let plain = try folder.write(good + String(good.dropLast(12)), to: "cut.txt")
        #expect(
            await failure(plain)?.message == "`\(plain)` is truncated: its last line, 2, is incomplete.")
        // A complete last record without a line end is not truncated.
        #expect(await failure(try folder.write(String(good.dropLast()), to: "whole.txt")) == nil)
    }

    @Test func `files that are not dumps are rejected`() async throws {
        let csv = try folder.write("Title,Author\nDune,Herbert\n", to: "library.csv")
        #expect(
            await failure(csv)?.message == "`\(csv)` is neither an Open Library dump nor a Wikidata dump.")
        let long = try folder.write(String(repeating: "a,b\n", count: 1_000) + good, to: "long.csv")
        #expect(await failure(long)?.kind == .unusableInput)
        #expect(await failure(folder.file("nothing.txt"))?.kind == .missing)
        #expect(await failure()?.kind == .configuration)
    }

    @Test func `a failed build leaves the old catalog and nothing else`() async throws {
        try await CatalogFixture.builder(folder).build(from: [folder.write(good, to: "dump.txt")])
        let before = try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite")))
        _ = await failure(try folder.write(good, to: "good.txt"), try folder.write("", to: "empty.txt"))
        #expect(try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite"))) == before)
        #expect(folder.names == ["catalog.sqlite", "dump.txt", "empty.txt", "good.txt"])
    }

    @Test func `files left by a killed build are removed by the next one`() async throws {
        for ending in [".building", ".staging", ".index"] {
            try CatalogContents.writeDamagedDatabase(folder.file("catalog.sqlite\(ending)"))
        }
        for ending in [".staging-journal", ".lock", ".building-mj0A1B2C945"] {
            _ = try folder.write(
                ending == ".lock" ? "" : "half a catalog", to: "catalog.sqlite\(ending)")
        }
        try await CatalogFixture.builder(folder).build(from: [folder.write(good, to: "dump.txt")])
        #expect(folder.names == ["catalog.sqlite", "dump.txt"])
        #expect(try await Catalog(folder.file("catalog.sqlite")).describe().isbns == 1)
    }

    @Test func `a file with the lock's name that is not a lock is left alone`() async throws {
        let diary = try folder.write("a diary", to: "catalog.sqlite.lock")
        let dump = try folder.write(good, to: "dump.txt")
        await #expect(throws: ETLError.self) {
            try await CatalogFixture.builder(folder).build(from: [dump])
        }
        #expect(try String(contentsOfFile: diary, encoding: .utf8) == "a diary")
    }

    @Test(arguments: [".building", ".staging", ".index"])
    func `a file that was killed before its first page was written is replaced`(ending: String) async throws {
        let dump = try folder.write(good, to: "dump.txt")
        _ = try folder.write(String(repeating: "\0", count: 8_192), to: "catalog.sqlite\(ending)")
        #expect(await failure(dump) == nil)
    }

    @Test(arguments: [".building", ".staging", ".index"])
    func `something else with the name of a build's file is left alone`(ending: String) async throws {
        let dump = try folder.write(good, to: "dump.txt")
        let diary = try folder.write("a diary", to: "catalog.sqlite\(ending)")
        #expect(await failure(dump)?.message.contains("is not a file of a catalog build") == true)
        #expect(try String(contentsOfFile: diary, encoding: .utf8) == "a diary")
        try FileManager.default.removeItem(atPath: diary)
        do {
            let database = try Connection(diary, .create)
            try database.execute("CREATE TABLE diary(day TEXT)")
        }
        #expect(await failure(dump)?.kind == .cannotCreate)
        #expect(try Connection(diary, .readOnly).integer("SELECT count(*) FROM diary") == 0)
        try FileManager.default.removeItem(atPath: diary)
        try FileManager.default.createSymbolicLink(atPath: diary, withDestinationPath: dump)
        #expect(await failure(dump)?.message.contains("is not a file of a catalog build") == true)
        try FileManager.default.removeItem(atPath: diary)
        let notes = try folder.write("notes", to: "catalog.sqlite\(ending)-mjnotes.txt")
        #expect(await failure(dump) == nil)
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "notes")
    }

    @Test func `two builds of one catalog exclude each other`() async throws {
        let dump = try folder.write(good, to: "dump.txt")
        do {
            let other = try BuildDirectory(output: folder.file("catalog.sqlite"))
            #expect(await failure(dump)?.kind == .temporary)
            _ = consume other
        }
        #expect(await failure(dump) == nil)
    }

    @Test func `a missing folder is rejected`() async throws {
        let builder = try CatalogBuilder(output: folder.file("no/such/catalog.sqlite"))
        let dump = try folder.write(good, to: "dump.txt")
        await #expect(throws: ETLError.self) { _ = try await builder.build(from: [dump]) }
    }

    @Test func `an open catalog stays unchanged while it is rebuilt`() async throws {
        try await CatalogFixture.builder(folder).build(from: [folder.write(good, to: "dump.txt")])
        let catalog = try Catalog(folder.file("catalog.sqlite"))
        let other = Dump.edition(2, #""isbn_13": ["9780140328721"]"#) + "\n"
        try await CatalogFixture.builder(folder).build(from: [folder.write(other, to: "dump.txt")])
        let old = try #require(ISBN("9780306406157"))
        let now = try #require(ISBN("9780140328721"))
        let queries = BookQueries(queries: [.isbn(old), .isbn(now)])
        #expect(try await catalog.answer(queries).answers.map(\.outcome) == [.found, .notFound])
        let opened = try Catalog(folder.file("catalog.sqlite"))
        #expect(try await opened.answer(queries).answers.map(\.outcome) == [.notFound, .found])
    }

    @Test func `the same files give the same bytes`() async throws {
        let lines = (1...300).map { number in
            Dump.edition(
                number * 7 % 301, #""title": "T\#(number)", "isbn_13": ["\#(Dump.isbn(number))"]"#,
                work: number % 40 + 1) + "\n"
                + Dump.work(number % 40 + 1, #""title": "W\#(number % 40)""#, author: number % 9 + 1) + "\n"
                + Dump.author(number % 9 + 1, #""name": "A\#(number % 9)""#) + "\n"
        }
        let dump = try folder.write(lines.joined(), to: "dump.txt")
        try await CatalogFixture.builder(folder).build(from: [dump])
        let first = try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite")))
        try await CatalogFixture.builder(folder).build(from: [dump])
        #expect(try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite"))) == first)
    }

    @Test func `progress is reported`() async throws {
        let seen = Guarded<[CatalogBuildProgress]>([])
        var builder = try CatalogBuilder(output: folder.file("catalog.sqlite"), batchRecords: 100)
        builder.observe = { progress in seen.withLock { $0.append(progress) } }
        let lines = String(repeating: good, count: 250)
        try await builder.build(from: [folder.write(lines, to: "dump.txt")])
        let reported = seen.withLock { $0 }
        #expect(
            reported.map(\.phase) == [
                .reading, .reading, .reading, .authors, .works, .editions, .people, .search,
            ])
        #expect(reported.map(\.lines).prefix(3) == [100, 200, 250])
        #expect(reported.last?.bytesRead == Int64(lines.utf8.count))
        #expect(reported.allSatisfy { $0.totalBytes == Int64(lines.utf8.count) })
    }

    @Test func `keys that do not fit in memory are sorted on disk, with the same catalog`() async throws {
        let folder = try TemporaryFolder()
        let lines =
            (1...30).map {
                DumpFixture.author($0, #""name": "Writer \#($0)", "alternate_names": ["W. \#($0)"]"#)
            }
            + (1...40).map { DumpFixture.work($0, #""title": "Tale \#($0 % 9)""#, author: $0 % 30 + 1) }
            + (1...60).map {
                DumpFixture.edition(
                    $0, #""title": "Told \#($0 % 7)", "isbn_13": ["\#(DumpFixture.isbn($0))"]"#,
                    work: $0 % 40 + 1)
            }
            // An edition of a work that does not exist, with a number above all others: no lookup needs it.
            + [
                DumpFixture.edition(
                    99, #""title": "Lost", "isbn_13": ["\#(DumpFixture.isbn(99))"]"#, work: 900)
            ]
        let dump = try folder.write(lines.map { $0 + "\n" }.joined(), to: "dump.txt")
        let roomy = try CatalogBuilder(output: folder.file("roomy.sqlite"))
        var tight = try CatalogBuilder(output: folder.file("tight.sqlite"))
        tight.keysInMemory = 3
        let report = try await tight.build(from: [dump])
        #expect(try await roomy.build(from: [dump]) == report)
        #expect(
            try CatalogContents.rows(folder.file("tight.sqlite"))
                == CatalogContents.rows(folder.file("roomy.sqlite")))
    }
}
