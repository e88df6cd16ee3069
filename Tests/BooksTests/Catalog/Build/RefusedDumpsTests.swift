import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books

/// What makes no catalog is refused, and the catalog that is there stays.
@Suite struct RefusedDumpsTests {
    typealias Dump = DumpFixture

    private let folder: TemporaryFolder
    private static let good = Dump.edition(1, #""isbn_13": ["9780306406157"], "title": "T""#) + "\n"

    init() throws { folder = try TemporaryFolder() }

    /// Why a build is refused; nil where it is not.
    private func failure(_ bytes: [UInt8], updates: Bool = false) async throws -> StageFailure? {
        var builder = try CatalogFixture.builder(folder)
        builder.updates = updates
        let path = try folder.write(bytes, to: "given")
        do throws(StageFailure) {
            try await builder.build(from: [path])
            return nil
        } catch {
            return error
        }
    }

    private func failure(_ text: String, updates: Bool = false) async throws -> StageFailure? {
        try await failure(Array(text.utf8), updates: updates)
    }

    private func catalog() throws -> Data {
        try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite")))
    }

    private static let lists = (1...9).map { Dump.line("list", "/people/a/lists/OL\($0)L", 1, "") + "\n" }
        .joined()
    private static let noDumps: [String] = [
        // Books of other services, spread over many lines and in one.
        "{\n  \"1\": {\n    \"title\": \"Dune\",\n    \"x\": {}\n  },\n  {}\n}\n",
        "{\n\"1\": {\n},\n{\"id\": \"zyTCAlFPjgYC\"}\n}\n",
        "{\"kind\": \"books#volumes\", \"items\": [{\"id\": \"Q12x\"}]}\n",
        "[\n\n]\n", "\n\n\n",
        // Wikidata without anybody who writes, dumps of other records, and what only leads elsewhere.
        "{\"type\":\"item\",\"id\":\"Q5\",\"labels\":[],\"claims\":[]}\n", lists,
        Dump.redirect("/books/OL2M", to: "/books/OL1M") + "\n",
        // Line ends of the old Macintosh.
        String(repeating: good, count: 9).replacing("\n", with: "\r"),
        Dump.line("list", "/people/a/lists/OL1L", 1, "") + "\nnothing\nof\nthe\nkind\n",
    ]

    @Test(arguments: noDumps) func `what no record is taken of leaves the catalog that is there`(
        text: String
    ) async throws {
        try await CatalogFixture.builder(folder).build(from: [folder.write(Self.good, to: "dump.txt")])
        let before = try catalog()
        #expect(try await failure(text)?.kind == .unusableInput)
        #expect(try catalog() == before)
        #expect(folder.names == ["catalog.sqlite", "dump.txt", "given"])
    }

    @Test func `random bytes and databases are no dumps`() async throws {
        var random = SeededGenerator(seed: 7)
        let bytes = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(try await failure(bytes)?.message.contains("is neither an Open Library dump") == true)
        try await CatalogFixture.builder(folder).build(from: [folder.write(Self.good, to: "dump.txt")])
        #expect(
            try await failure(Array(catalog()))?.message.contains("is neither an Open Library dump") == true)
    }

    @Test func `a refusal at the end says how many lines of what kind were passed over`() async throws {
        let given = folder.file("given")
        let others = Dump.line("list", "/people/a/lists/OL1L", 1, "") + "\n"
        #expect(
            try await failure(others + "nothing\nof the kind\n/type/work\t/works/OL1W\n")?.message
                == "Nothing was taken of \(given): of its 4 lines 3 were passed over (2 unknown_kind, 1 no_record)."
        )
        #expect(
            try await failure(Self.lists + "x\n")?.message
                == "There is nothing to make a catalog of: no edition, work, author or person who writes in 10 lines "
                + "(9 of other kinds, 1 malformed).")
        #expect(!folder.names.contains("catalog.sqlite"))
    }

    @Test func `a file that is none is refused beside one that is`() async throws {
        let files = [
            try folder.write(Self.good, to: "dump.txt"), try folder.write(Self.noDumps[8], to: "mac.txt"),
            try folder.write(Self.good, to: "more.txt"),
        ]
        await #expect(throws: StageFailure.self) {
            try await CatalogFixture.builder(folder).build(from: files)
        }
        #expect(folder.names == ["dump.txt", "mac.txt", "more.txt"])
    }

    @Test func `one record among many lines that cannot be read is enough`() async throws {
        #expect(try await failure(String(repeating: "x\n", count: 900) + Self.good) == nil)
        #expect(try await failure(Self.good + String(repeating: "x\n", count: 20_000)) == nil)
    }

    @Test func `what leads elsewhere or was deleted is enough for an update`() async throws {
        try await CatalogFixture.builder(folder).build(from: [folder.write(Self.good, to: "dump.txt")])
        #expect(try await failure(Self.lists, updates: true)?.kind == .unusableInput)
        #expect(try await failure(Dump.delete("/books/OL1M") + "\n", updates: true) == nil)
        #expect(try await Catalog(folder.file("catalog.sqlite")).describe().isbns == 0)
    }

    private static let person =
        #"{"type":"item","id":"Q1","claims":{"P648":[{"mainsnak":{"snaktype":"value","property":"P648","#
        + #""datavalue":{"value":"OL1A","type":"string"},"datatype":"external-id"}}],"P31":[{"mainsnak":"#
        + #"{"snaktype":"value","property":"P31","datavalue":{"value":{"id":"Q5"},"type":"wikibase-entityid"}}}]},"#
        + #""labels":{"en":{"language":"en","value":"A"}}}"#

    @Test func `an array without its end is cut off`() async throws {
        let whole = "[\n" + Self.person + ",\n" + Self.person.replacing("Q1\"", with: "Q2\"") + "\n]\n"
        for tail in ["", "\n", " \n\r\n"] { #expect(try await failure(whole + tail) == nil) }
        for cut in [whole.dropLast(2), whole.dropLast(3)] {
            #expect(
                try await failure(String(cut))?.message
                    == "\(folder.file("given")) is cut off: the array that it begins with has no end.")
        }
        // Entities by themselves are no array.
        #expect(try await failure(Self.person + ",\n") == nil)
    }

    @Test func `an array that is cut off is known by whoever goes on with it`() async throws {
        let lines = (1...2_000).map { Self.person.replacing("Q1\"", with: "Q\($0)\"") + ",\n" }
        let path = try folder.write("[\n" + lines.joined(), to: "cut.json")
        let stop = StopSignal()
        var stopped = try CatalogBuilder(
            output: folder.file("catalog.sqlite"), batchRecords: 7, batchesPerCommit: 1)
        stopped.stop = stop
        stopped.observe = { if $0.lines > 10 { stop.raise() } }
        #expect(try await stopped.run([path]).report == nil)
        await #expect(throws: StageFailure.self) {
            try await CatalogFixture.builder(folder).build(from: [path])
        }
        #expect(folder.names == ["cut.json"])
    }

    @Test func `a dump cut off in a line that is too long is cut off`() async throws {
        let long = Dump.work(1, #""title": "\#(String(repeating: "x", count: DumpLines.byteLimit))""#)
        #expect(
            try await failure(Self.good + String(long.dropLast(2)))?.message
                == "\(folder.file("given")) is cut off: its last line, 2, stops in the middle.")
        #expect(try await failure(Self.good + long) == nil)
        #expect(try await failure(Self.good + long + "\n") == nil)
    }

    @Test func `a mark of the encoding is no part of the first record`() async throws {
        let path = try folder.write([0xEF, 0xBB, 0xBF] + Array(Self.good.utf8), to: "dump.txt")
        let report = try await CatalogFixture.builder(folder).build(from: [path])
        #expect(report.isbns == 1)
        #expect(report.malformed == [:])
        let array = try folder.write(
            [0xEF, 0xBB, 0xBF] + Array("[\n\(Self.person)\n".utf8), to: "wikidata.json")
        await #expect(throws: StageFailure.self) {
            try await CatalogFixture.builder(folder).build(from: [array])
        }
    }
}
