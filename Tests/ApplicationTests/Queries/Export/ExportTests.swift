import Books
import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Queries
@testable import Store

@Suite
struct ExportTests {
    private func export(
        _ store: FilledStore, _ what: Export.What, as format: Export.Format = .ndjson, safe: Bool = false
    ) throws -> ByteCollector {
        let collector = ByteCollector()
        let count = try Export(try store.open()).write(what, as: format, guardsFormulas: safe) {
            (piece) throws(ETLError) in collector.take(piece)
        }
        if format == .ndjson { #expect(count == collector.lines.count) }
        return collector
    }

    @Test func `works have the values of their editions and their provider`() async throws {
        let store = try await SmallLibrary.store()
        let dune = try #require(try export(store, .works).lines.first { $0.contains("OL893415W") })
        #expect(
            dune.hasSuffix(
                #""primaryProvider":"openlibrary","amazonASINs":[],"googleBooksVolumeIDs":["B1hSG45JCX4C"]}"#)
        )
        let brokenNumber = try #require(
            try export(store, .works).lines.first { $0.contains("broken number") })
        #expect(
            !brokenNumber.contains("primaryProvider") && brokenNumber.contains(#""googleBooksVolumeIDs":[]"#))
        let writer = try StoreFile.openForWriting(store.path)
        let work = try #require(try writer.integer("SELECT id FROM works WHERE key = 'ol:OL893415W'"))
        try writer.execute(
            """
            UPDATE editions SET asin = '["B2","B1"]' WHERE work = \(work);
            INSERT INTO editions(id, work, key, asin, quality) VALUES (1000000, \(work), 'a', '["B1","B3"]', 0)
            """)
        let all = try export(store, .works, as: .csv)
        let column = try #require(all.records[0].firstIndex(of: "amazonASINs"))
        #expect(all.records.dropFirst().contains { $0[column] == "B1; B3; B2" })
    }

    @Test func `a table is UTF-8 even if the file was not`() async throws {
        let store = try FilledStore()
        try await store.importing(["Title,Author\nReef,Ana\n"], job: "one")
        let writer = try StoreFile.openForWriting(store.path)
        try writer.execute("UPDATE works SET title = CAST(X'4BF66E6967' AS TEXT)")
        for what in [Export.What.books, .works] {
            let bytes = try export(store, what, as: .csv).bytes
            #expect(String(validating: bytes, as: UTF8.self)?.contains("K\u{FFFD}nig") == true)
        }
    }

    @Test func `books are the users' entries, sorted by library, format and source id`() async throws {
        let store = try await SmallLibrary.store()
        try await store.importing(
            [SmallLibrary.header + "\n" + SmallLibrary.dune], job: "theirs", library: "another")
        let lines = try export(store, .books).lines
        let objects = try lines.map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(objects.map { $0?["library"] as? String } == ["another", "default", "default", "default"])
        #expect(objects.map { $0?["sourceId"] as? String } == ["1", "1", "2", "3"])
        #expect(
            lines[3]
                == #"{"id":"title:broken number|somebody|","editionId":"title:broken number|somebody|","isbns":[],"#
                + #""title":"Broken \"Number\"","authors":["Somebody"],"series":[],"format":"Paperback","categories":[],"#
                + #""averageRating":4.2,"reviewStatus":"needsReview","isbndbQuality":0,"library":"default","#
                + #""sourceFormat":"goodreads","sourceId":"3","shelf":"read","dateAdded":"2020-10-21","readCount":1,"#
                + #""ownedCopies":0,"workTitle":"Broken \"Number\"","#
                + #""userTitle":"Broken \"Number\"","#
                + #""earlierReadings":[],"contributors":[],"subjects":[]}"#)
    }

    @Test func `one library is exported with the works, editions and authors of its books`()
        async throws
    {
        let store = try await SmallLibrary.store()
        try await store.importing(
            [SmallLibrary.header + "\n" + SmallLibrary.dune], job: "theirs", library: "another")
        func lines(_ what: Export.What, _ library: String?) throws -> [String] {
            let collector = ByteCollector()
            try Export(try store.open()).write(what, as: .ndjson, of: library) {
                (piece) throws(ETLError) in collector.take(piece)
            }
            return collector.lines
        }
        #expect(try lines(.books, "default").count == 3 && lines(.books, nil).count == 4)
        #expect(try lines(.books, "another").allSatisfy { $0.contains("\"library\":\"another\"") })
        #expect(try lines(.books, "another").count == 1)
        for what in [Export.What.works, .editions, .authors] {
            let (all, `default`, another) = (
                try lines(what, nil), try lines(what, "default"), try lines(what, "another")
            )
            #expect(all == `default`)
            #expect(another.count == 1 && all.contains(another[0]))
        }
        do throws(ETLError) {
            try Export(try store.open()).write(.books, as: .ndjson, of: "nobody") { _ throws(ETLError) in
            }
            Issue.record("exported a library that does not exist")
        } catch {
            #expect(error.kind == .missing)
            #expect(
                error.advice?.description.contains("`another`, `default`") == true
            )
        }
    }

    @Test func `a book has the title of the user's edition, with the work's title next to it`()
        async throws
    {
        let store = try FilledStore()
        store.known = [
            "9780441013593": [
                KnownBook(
                    .openLibrary, "OL1M",
                    [
                        (.workKey, "OL1W"), (.title, "Der Wüstenplanet"), (.editionKey, "OL1M"),
                        (.editionTitle, "Dune"), (.editionSubtitle, "A novel"), (.isbn13, "9780441013593"),
                    ])
            ]
        ]
        try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.dune], job: "j")
        let line = try #require(try export(store, .books).lines.first)
        let book = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(book?["title"] as? String == "Dune")
        #expect(book?["subtitle"] as? String == "A novel")
        #expect(book?["workTitle"] as? String == "Der Wüstenplanet")
        #expect(book?["userTitle"] as? String == "Dune")
    }

    @Test func `the title in the user's row is exported without its series`() async throws {
        let store = try FilledStore()
        store.known = [
            "1984": [
                KnownBook(
                    .openLibrary, "OL2W", match: .titleAuthor,
                    [(.workKey, "OL2W"), (.title, "Nineteen Eighty-Four")])
            ]
        ]
        try await store.importing(
            [
                [
                    SmallLibrary.header, SmallLibrary.row("1", "1984 (Classics, #4)", "George Orwell"),
                    SmallLibrary.row("2", "", "", isbn: "9780306406157"),
                ].joined(separator: "\n")
            ], job: "j")
        let records = try export(store, .books, as: .csv).records
        let books = records.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(records[0], $0)) }
        #expect(books.map { $0["title"] } == ["Nineteen Eighty-Four", ""])
        #expect(books.map { $0["userTitle"] } == ["1984", ""])
    }

    @Test func `works, editions and authors are sorted by public key`() async throws {
        let store = try await SmallLibrary.store()
        func keys(_ what: Export.What, _ name: String) throws -> [String?] {
            try export(store, what).lines.map {
                (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?[name] as? String
            }
        }
        #expect(try keys(.works, "id") == ["ol:OL59798W", "ol:OL893415W", "title:broken number|somebody|"])
        #expect(
            try keys(.editions, "id") == [
                "isbn:9780441013593", "title:a wizard of earthsea|ursula k le guin|",
                "title:broken number|somebody|",
            ])
        #expect(try keys(.authors, "key") == ["name:somebody", "ol:OL31353A", "ol:OL79034A"])
        #expect(try keys(.authors, "gender") == ["Unknown", "Unknown", "Male"])
    }

    @Test func `CSV has a fixed header and joins lists`() async throws {
        let store = try await SmallLibrary.store()
        let records = try export(store, .works, as: .csv).records
        let header = """
            id,title,subtitle,series,originalLanguage,firstPublicationYear,description,coverImageURL,\
            subjectTags,subjects,openLibraryID,goodreadsWorkIDs,librarythingIDs,wikidata,synthetic,\
            contributors,isbndbQuality,reviewStatus,authors,primaryProvider,amazonASINs,googleBooksVolumeIDs
            """
        #expect(records[0].joined(separator: ",") == header)
        let dune = Dictionary(uniqueKeysWithValues: zip(records[0], records[2]))
        #expect(dune["subjectTags"] == "Science Fiction")
        #expect(dune["contributors"] == "openlibrary; google-books")
        #expect(dune["synthetic"] == "false")
        #expect(dune["authors"] == "Frank Herbert")
        #expect(
            Dictionary(uniqueKeysWithValues: zip(records[0], records[1]))["series"] == "Earthsea Cycle #1")
        for what in Export.What.allCases where what != .all {
            let records = try export(store, what, as: .csv).records
            #expect(records.count == 4 && records.allSatisfy { $0.count == records[0].count })
        }
    }

    @Test func `JSON is one array, empty for an empty store`() async throws {
        let store = try FilledStore()
        try await store.importing([SmallLibrary.header + "\n"], job: "empty")
        for what in Export.What.allCases { #expect(try export(store, what, as: .json).text == "[]\n") }
        let filled = try await SmallLibrary.store()
        for what in Export.What.allCases {
            let array = try JSONSerialization.jsonObject(with: Data(export(filled, what, as: .json).bytes))
            #expect((array as? [Any])?.count == (try export(filled, what).lines.count))
        }
    }

    @Test func `the full dump cannot be exported as CSV`() async throws {
        let store = try await SmallLibrary.store()
        func ask() throws { _ = try export(store, .all, as: .csv) }
        #expect(try #require(throws: ETLError.self, performing: ask).kind == .configuration)
    }

    @Test func `hostile text survives JSON and CSV`() async throws {
        let store = try FilledStore()
        let title = "=1+1,\"quoted\"\n\u{2028}\u{1}🦄"
        try await store.importing([SmallLibrary.header + "\n" + SmallLibrary.row("1", title, "-A")], job: "j")
        let line = try export(store, .books).lines[0]
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let expected = title.replacing("\n", with: " ")
        #expect((object?["title"] as? String)?.hasPrefix("=1+1,\"quoted\"") == true)
        let records = try export(store, .books, as: .csv).records
        #expect(records[1][4] == object?["title"] as? String, "\(expected)")
        #expect(try export(store, .books, as: .csv, safe: true).records[1][4].hasPrefix("'=1+1"))
    }

    @Test func `ten thousand records are written in pieces`() async throws {
        let store = try FilledStore()
        store.batchRecords = 1_024
        let rows = (1...10_000).map { SmallLibrary.row("\($0)", "Title \($0)", "Author \($0 % 97)") }
        try await store.importing([([SmallLibrary.header] + rows).joined(separator: "\n")], job: "many")
        for (what, format) in [(Export.What.books, Export.Format.csv), (.all, .ndjson), (.works, .json)] {
            let collector = try export(store, what, as: format)
            #expect(collector.largestPiece < 70_000)
            #expect(collector.bytes.count > 1_000_000)
        }
    }

    @Test func `the number of threads does not change a byte`() async throws {
        let store = try FilledStore()
        store.batchRecords = 512
        // Some rows are so long that a thread's order is done in several pieces.
        let rows = (1...600).map { number in
            let title = "Title \(number) " + String(repeating: "x", count: number * 31 % 1_999)
            return SmallLibrary.row("\(number * 7_919 % 10_007)", title, "Author \(number % 97)")
        }
        try await store.importing([([SmallLibrary.header] + rows).joined(separator: "\n")], job: "many")
        func export(_ what: Export.What, _ format: Export.Format, _ readers: Int) throws -> ByteCollector {
            let collector = ByteCollector()
            let count = try Export(try store.open(), readers: readers).write(
                what, as: format, addsOtherColumns: what == .books
            ) { (piece) throws(ETLError) in collector.take(piece) }
            #expect(count == (what == .authors ? 97 : 600))
            return collector
        }
        for (what, format) in [(Export.What.books, Export.Format.csv), (.books, .json), (.authors, .ndjson)] {
            let expected = try export(what, format, 0)
            for readers in [1, 3] {
                let collector = try export(what, format, readers)
                #expect(collector.bytes == expected.bytes)
                // A piece and the row that filled it.
                #expect(collector.largestPiece < 90_000)
            }
        }
    }

    @Test func `an export ends where its output ends`() async throws {
        let store = try FilledStore()
        let rows = (1...1_000).map { SmallLibrary.row("\($0)", "Title \($0)", "Author") }
        try await store.importing([([SmallLibrary.header] + rows).joined(separator: "\n")], job: "many")
        for readers in [0, 2] {
            func write() throws {
                try Export(try store.open(), readers: readers).write(.books, as: .csv) {
                    (_) throws(ETLError) in throw ETLError(.inputOutput, "full")
                }
            }
            #expect(try #require(throws: ETLError.self, performing: write).message == "full")
        }
    }
}
