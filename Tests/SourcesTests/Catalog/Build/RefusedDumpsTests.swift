import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Sources
@testable import Syntax

/// Files without usable records are rejected, and the existing catalog stays.
@Suite struct RefusedDumpsTests {
    typealias Dump = DumpFixture

    private let folder: TemporaryFolder
    private static let good = Dump.edition(1, #""isbn_13": ["9780306406157"], "title": "T""#) + "\n"

    init() throws { folder = try TemporaryFolder() }

    /// The failure of a build; nil if it succeeds.
    private func failure(_ bytes: [UInt8], updates: Bool = false) async throws -> ETLError? {
        var builder = try CatalogFixture.builder(folder)
        builder.updates = updates
        let path = try folder.write(bytes, to: "given")
        do throws(ETLError) {
            try await builder.build(from: [path])
            return nil
        } catch {
            return error
        }
    }

    private func failure(_ text: String, updates: Bool = false) async throws -> ETLError? {
        try await failure(Array(text.utf8), updates: updates)
    }

    private func catalog() throws -> Data {
        try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite")))
    }

    private static let lists = (1...9).map { Dump.line("list", "/people/a/lists/OL\($0)L", 1, "") + "\n" }
        .joined()
    private static let noDumps: [String] = [
        // Books of other services, spread over many lines and on one line.
        "{\n  \"1\": {\n    \"title\": \"Dune\",\n    \"x\": {}\n  },\n  {}\n}\n",
        "{\n\"1\": {\n},\n{\"id\": \"zyTCAlFPjgYC\"}\n}\n",
        "{\"kind\": \"books#volumes\", \"items\": [{\"id\": \"Q12x\"}]}\n",
        "[\n\n]\n", "\n\n\n",
        // Wikidata without authors, dumps of other records, and only redirects.
        "{\"type\":\"item\",\"id\":\"Q5\",\"labels\":[],\"claims\":[]}\n", lists,
        Dump.redirect("/books/OL2M", to: "/books/OL1M") + "\n",
        // Line ends of classic Mac OS.
        String(repeating: good, count: 9).replacing("\n", with: "\r"),
        Dump.line("list", "/people/a/lists/OL1L", 1, "") + "\nnothing\nof\nthe\nkind\n",
    ]

    @Test(arguments: noDumps) func `a file without usable records leaves the existing catalog`(
        text: String
    ) async throws {
        try await CatalogFixture.builder(folder).build(from: [folder.write(Self.good, to: "dump.txt")])
        let before = try catalog()
        #expect(try await failure(text)?.kind == .unusableInput)
        #expect(try catalog() == before)
        #expect(folder.names == ["catalog.sqlite", "dump.txt", "given"])
    }

    @Test func `random bytes and databases are not dumps`() async throws {
        var random = SeededGenerator(seed: 7)
        let bytes = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(try await failure(bytes)?.message.contains("is neither an Open Library dump") == true)
        try await CatalogFixture.builder(folder).build(from: [folder.write(Self.good, to: "dump.txt")])
        #expect(
            try await failure(Array(catalog()))?.message.contains("is neither an Open Library dump") == true)
    }

    @Test func `the message counts the skipped lines by kind`() async throws {
        let given = folder.file("given")
        let others = Dump.line("list", "/people/a/lists/OL1L", 1, "") + "\n"
        #expect(
            try await failure(others + "nothing\nof the kind\n/type/work\t/works/OL1W\n")?.message
                == "No usable records in `\(given)`: 3 of its 4 lines were skipped (2 unknown_kind, 1 no_record)."
        )
        #expect(
            try await failure(Self.lists + "x\n")?.message
                == "The dumps contain no usable records (10 lines read: 9 of other kinds, 1 malformed).")
        #expect(!folder.names.contains("catalog.sqlite"))
    }

    @Test func `one invalid file makes the whole build fail`() async throws {
        let files = [
            try folder.write(Self.good, to: "dump.txt"), try folder.write(Self.noDumps[8], to: "mac.txt"),
            try folder.write(Self.good, to: "more.txt"),
        ]
        await #expect(throws: ETLError.self) {
            try await CatalogFixture.builder(folder).build(from: files)
        }
        #expect(folder.names == ["dump.txt", "mac.txt", "more.txt"])
    }

    @Test func `one record among many unreadable lines is enough`() async throws {
        #expect(try await failure(String(repeating: "x\n", count: 900) + Self.good) == nil)
        #expect(try await failure(Self.good + String(repeating: "x\n", count: 20_000)) == nil)
    }

    @Test func `redirects and deletions are enough for an update`() async throws {
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

    @Test func `an unclosed array is truncated`() async throws {
        let whole = "[\n" + Self.person + ",\n" + Self.person.replacing("Q1\"", with: "Q2\"") + "\n]\n"
        for tail in ["", "\n", " \n\r\n"] { #expect(try await failure(whole + tail) == nil) }
        for cut in [whole.dropLast(2), whole.dropLast(3)] {
            #expect(
                try await failure(String(cut))?.message
                    == "`\(folder.file("given"))` is truncated: its JSON array is not closed.")
        }
        // Entities without brackets are not an array.
        #expect(try await failure(Self.person + ",\n") == nil)
    }

    @Test func `a resumed build notices an unclosed array`() async throws {
        let lines = (1...2_000).map { Self.person.replacing("Q1\"", with: "Q\($0)\"") + ",\n" }
        let path = try folder.write("[\n" + lines.joined(), to: "cut.json")
        let stop = StopSignal()
        var stopped = try CatalogBuilder(
            output: folder.file("catalog.sqlite"), batchRecords: 7, batchesPerCommit: 1)
        stopped.stop = stop
        stopped.observe = { if $0.lines > 10 { stop.raise() } }
        #expect(try await stopped.run([path]).report == nil)
        await #expect(throws: ETLError.self) {
            try await CatalogFixture.builder(folder).build(from: [path])
        }
        #expect(folder.names == ["cut.json"])
    }

    @Test func `a dump that ends within an overlong line is truncated`() async throws {
        let long = Dump.work(1, #""title": "\#(String(repeating: "x", count: DumpLines.byteLimit))""#)
        #expect(
            try await failure(Self.good + String(long.dropLast(2)))?.message
                == "`\(folder.file("given"))` is truncated: its last line, 2, is incomplete.")
        #expect(try await failure(Self.good + long) == nil)
        #expect(try await failure(Self.good + long + "\n") == nil)
    }

    @Test func `a byte order mark is not part of the first record`() async throws {
        let path = try folder.write([0xEF, 0xBB, 0xBF] + Array(Self.good.utf8), to: "dump.txt")
        let report = try await CatalogFixture.builder(folder).build(from: [path])
        #expect(report.isbns == 1)
        #expect(report.malformed == [:])
        let array = try folder.write(
            [0xEF, 0xBB, 0xBF] + Array("[\n\(Self.person)\n".utf8), to: "wikidata.json")
        await #expect(throws: ETLError.self) {
            try await CatalogFixture.builder(folder).build(from: [array])
        }
    }
}
