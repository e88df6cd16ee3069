import Contract
import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Queries
@testable import Sources

@Suite struct CatalogSearchTests {
    typealias Dump = DumpFixture

    /// A work best known by the title of its translation, and one with the same title as all its editions.
    private let lines = [
        Dump.author(1, #""name": "George Orwell""#), Dump.author(2, #""name": "Haruki Murakami""#),
        Dump.work(1, #""title": "Nineteen Eighty-Four""#, author: 1),
        Dump.work(2, #""title": "海辺のカフカ""#, author: 2),
        Dump.work(3, #""title": "Animal Farm""#, author: 1),
        Dump.edition(1, #""title": "Nineteen Eighty-Four", "isbn_13": ["\#(Dump.isbn(1))"]"#, work: 1),
        Dump.edition(
            2, #""title": "1984", "subtitle": "A Novel", "isbn_13": ["\#(Dump.isbn(2))"]"#, work: 1),
        Dump.edition(3, #""title": "Kafka on the Shore", "isbn_13": ["\#(Dump.isbn(3))"]"#, work: 2),
        Dump.edition(4, #""title": "Animal farm!", "isbn_13": ["\#(Dump.isbn(4))"]"#, work: 3),
        Dump.edition(5, #""title": "Kafka am Strand""#, work: 2),
    ]

    private func find(_ title: String, _ catalog: Catalog) async throws -> [String] {
        try await BookSearch(store: nil, catalogs: [catalog]).find(.title(title)).map {
            "\($0.work.id) \($0.foundTitle ?? "-") \($0.edition?.isbn ?? "-")"
        }
    }

    @Test(arguments: [
        ("1984", "ol:OL1W 1984 \(Dump.isbn(2))"), ("1984 a novel", "ol:OL1W 1984: A Novel \(Dump.isbn(2))"),
        ("nineteen eighty four", "ol:OL1W - \(Dump.isbn(1))"),
        ("kafka shore", "ol:OL2W Kafka on the Shore \(Dump.isbn(3))"),
        ("animal farm", "ol:OL3W - \(Dump.isbn(4))"),
    ])
    func `a work is found by the titles of its editions and shows that edition`(
        title: String, found: String
    ) async throws {
        #expect(try await find(title, CatalogFixture(lines).catalog) == [found])
    }

    @Test func `an update keeps the titles and removes those that are gone`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("catalog.sqlite")
        for (number, lines) in [
            lines,
            [Dump.edition(3, #""title": "Umibe", "isbn_13": ["\#(Dump.isbn(3))"]"#, work: 2, revision: 2)],
        ].enumerated() {
            var builder = try CatalogBuilder(output: path)
            builder.updates = number > 0
            _ = try await builder.build(
                from: [try folder.write(lines.map { $0 + "\n" }.joined(), to: "\(number).txt")])
        }
        let catalog = try Catalog(path)
        #expect(try await find("1984", catalog) == ["ol:OL1W 1984 \(Dump.isbn(2))"])
        #expect(try await find("umibe", catalog) == ["ol:OL2W Umibe \(Dump.isbn(3))"])
        #expect(try await find("kafka on the shore", catalog).isEmpty)
    }

    @Test func `of many titles the most frequent ones are kept`() async throws {
        var lines = [Dump.author(1, #""name": "A""#), Dump.work(1, #""title": "W""#, author: 1)]
        for number in 1...60 {
            // The last title occurs twice.
            lines.append(
                Dump.edition(
                    number, #""title": "title\#(min(number, 59))x", "isbn_13": ["\#(Dump.isbn(number))"]"#,
                    work: 1))
        }
        let fixture = try await CatalogFixture(lines)
        let forms = try #require(
            try Connection(fixture.path, .readOnly).string("SELECT titles FROM edition_title WHERE work = 1"))
        #expect(forms.utf8.count < EditionTitles.byteLimit)
        for (title, isFound) in [
            ("title59x", true), ("title1x", true), ("title15x", true), ("title16x", false),
        ] {
            #expect(try await find(title, fixture.catalog).count == (isFound ? 1 : 0), "\(title)")
        }
        let again = try await CatalogFixture(lines.reversed())
        #expect(try CatalogContents.rows(fixture.path) == CatalogContents.rows(again.path))
    }

    @Test func `an edition that lost its ISBN to another work is not shown for it`() async throws {
        let fixture = try await CatalogFixture([
            Dump.work(1, #""title": "One""#), Dump.work(2, #""title": "Two""#),
            Dump.edition(1, #""title": "Uno", "isbn_13": ["\#(Dump.isbn(1))"]"#, work: 1),
            Dump.edition(
                2, #""title": "Two", "number_of_pages": 7, "isbn_13": ["\#(Dump.isbn(1))"]"#, work: 2),
        ])
        #expect(try await find("uno", fixture.catalog) == ["ol:OL1W - -"])
    }

    @Test func `searching a catalog with a damaged schema reports the damage`() async throws {
        let fixture = try await CatalogFixture(lines)
        for (number, change) in [
            "ALTER TABLE search_term RENAME COLUMN words TO wxrds", "DROP TABLE work_edition",
            "ALTER TABLE edition RENAME COLUMN body TO bxdy",
        ].enumerated() {
            let path = fixture.folder.file("hit\(number).sqlite")
            try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
            try Connection(path, .readWrite).execute(change)
            try CatalogChecksums.append(to: path)
            do {
                _ = try await find("1984", Catalog(path))
                Issue.record("\(change): it was searched")
            } catch let failure as ETLError {
                #expect(failure.kind == .inputOutput, "\(failure)")
                #expect(failure.message.hasPrefix("`\(path)` is damaged: no such "))
                #expect(failure.advice?.refers(to: UserCommand.buildCatalog(path: path)) == true)
            }
        }
    }
}
