import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Sources

@Suite struct CatalogUpdateTests {
    typealias Dump = DumpFixture

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func build(_ lines: [String], _ name: String = "catalog.sqlite", updates: Bool = false)
        async throws -> CatalogBuildReport
    {
        var builder = try CatalogBuilder(output: folder.file(name))
        builder.updates = updates
        let dump = try folder.write(lines.map { $0 + "\n" }.joined(), to: "dump-\(UUID().uuidString).txt")
        return try await builder.build(from: [dump])
    }

    private func contents(_ name: String = "catalog.sqlite") throws -> [String] {
        try CatalogContents.rows(folder.file(name))
    }

    private let old = [
        Dump.author(1, #""name": "Old Name""#), Dump.author(2, #""name": "B""#),
        Dump.work(1, #""title": "W1""#, author: 1), Dump.work(2, #""title": "W2""#, author: 2),
        Dump.work(3, #""title": "W3""#, author: 9),
        Dump.edition(
            1,
            #""title": "E1", "isbn_13": ["\#(Dump.isbn(1))"], "translated_from": [{"key": "/languages/jpn"}]"#,
            work: 1),
        Dump.edition(2, #""title": "E2", "isbn_13": ["\#(Dump.isbn(2))"]"#, work: 2),
        Dump.edition(3, #""title": "E3""#, work: 2),
        Dump.edition(4, #""title": "E4", "isbn_13": ["\#(Dump.isbn(4))"]"#, work: 8),
        Dump.edition(5, #""title": "E5", "isbn_13": ["\#(Dump.isbn(1))"], "number_of_pages": 7"#, work: 1),
        Dump.redirect("/works/OL20W", to: "/works/OL2W"),
    ]

    /// It lacks editions without an ISBN and most identifiers, which an update would not bring.
    @Test func `a catalog of an earlier version is not updated`() async throws {
        _ = try await build(old)
        let before = try contents()
        try Connection(folder.file("catalog.sqlite"), .readWrite).execute(
            "PRAGMA user_version = \(CatalogSchema.version - 1)")
        await #expect(throws: ETLError.self) {
            _ = try await build([Dump.work(7, #""title": "W7""#, author: 2)], updates: true)
        }
        try Connection(folder.file("catalog.sqlite"), .readWrite).execute(
            "PRAGMA user_version = \(CatalogSchema.version)")
        #expect(try contents() == before)
    }

    @Test func `newer revisions replace older ones, and the rest stays`() async throws {
        _ = try await build(old)
        let report = try await build(
            [
                Dump.author(1, #""name": "New Name""#, revision: 2),
                Dump.author(2, #""name": "older""#, revision: 0),
            ],
            updates: true)
        #expect(report.isbns == 3)
        #expect(report.editions == 5)
        #expect(report.works == 3)
        let catalog = try Catalog(folder.file("catalog.sqlite"))
        let isbns = [1, 2].compactMap { ISBN(Dump.isbn($0)) }.map { BookQueries.Query.isbn($0) }
        let answers = try await catalog.answer(BookQueries(queries: isbns))
        #expect(CatalogFixture.Found(answers, 0).authorNames == ["New Name"])
        #expect(CatalogFixture.Found(answers, 1).authorNames == ["B"])
        let description = try await catalog.describe()
        #expect(description.sources.count == 2)
        #expect(description.sources.map(\.records) == [11, 2])
    }

    @Test func `an update gives the same catalog as one build of all dumps`() async throws {
        let new = [
            // An edition gets another ISBN, the winner of a contested ISBN loses it, an author becomes known.
            Dump.edition(2, #""title": "E2", "isbn_13": ["\#(Dump.isbn(7))"]"#, work: 2, revision: 2),
            Dump.edition(5, #""title": "E5""#, work: 1, revision: 3), Dump.author(9, #""name": "Late""#),
            Dump.edition(6, #""title": "E6", "isbn_13": ["\#(Dump.isbn(6))"]"#, work: 20),
            Dump.delete("/works/OL1W"), Dump.work(8, #""title": "W8""#, author: 2),
        ]
        _ = try await build(old)
        _ = try await build(new, updates: true)
        _ = try await build(old + new, "whole.sqlite")
        #expect(try contents() == contents("whole.sqlite"))
        #expect(try contents().count > 20)
    }

    @Test func `random series of updates give the same catalog as one build`() async throws {
        for seed in UInt64(1)...6 {
            var draws = SeededGenerator(seed: seed)
            let lines = (0..<80).map { _ in Self.anyLine(&draws) }
            let name = "updated-\(seed).sqlite"
            _ = try await build(Array(lines[..<40]), name)
            _ = try await build(Array(lines[40..<60]), name, updates: true)
            _ = try await build(Array(lines[60...]), name, updates: true)
            _ = try await build(lines, "whole-\(seed).sqlite")
            #expect(try contents(name) == contents("whole-\(seed).sqlite"), "seed \(seed)")
        }
    }

    private static func anyLine(_ draws: inout SeededGenerator) -> String {
        func number(_ bound: Int) -> Int { Int.random(in: 1...bound, using: &draws) }
        let revision = number(1_000_000)
        switch number(10) {
        case 1...5:
            return Dump.edition(
                number(12), #""title": "E\#(number(5))", "isbn_13": ["\#(Dump.isbn(number(15)))"]"#,
                work: number(8), revision: revision)
        case 6...7:
            return Dump.work(number(8), #""title": "W\#(number(9))""#, author: number(5), revision: revision)
        case 8: return Dump.author(number(5), #""name": "A\#(number(9))""#, revision: revision)
        case 9:
            return Dump.redirect("/works/OL\(number(8))W", to: "/works/OL\(number(8))W", revision: revision)
        default: return Dump.delete("/books/OL\(number(12))M", revision: revision)
        }
    }

    @Test func `a failed update leaves the catalog unchanged`() async throws {
        _ = try await build(old)
        let before = try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite")))
        let cut = try folder.write(old[0] + "\n" + old[1].dropLast(9), to: "cut.txt")
        var builder = try CatalogBuilder(output: folder.file("catalog.sqlite"))
        builder.updates = true
        await #expect(throws: ETLError.self) { try await builder.build(from: [cut]) }
        #expect(try Data(contentsOf: URL(filePath: folder.file("catalog.sqlite"))) == before)
        #expect(folder.names.allSatisfy { !$0.contains("staging") && !$0.contains("building") })
    }

    @Test func `an update without a catalog is rejected`() async throws {
        await #expect(throws: ETLError.self) { _ = try await build(old, "none.sqlite", updates: true) }
    }
}
