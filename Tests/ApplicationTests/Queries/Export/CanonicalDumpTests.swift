import Foundation
import System
import TestSupport
import Testing

@testable import Books

@Suite
struct CanonicalDumpTests {
    private func dump(_ store: FilledStore) throws -> [String] {
        try store.open().canonicalDump().split(separator: "\n").map(String.init)
    }

    @Test func `a small library is dumped as expected`() async throws {
        let store = try FilledStore()
        store.known = ["9780441013593": Array((SmallLibrary.known["9780441013593"] ?? []).prefix(1))]
        store.people = [SmallLibrary.herbert]
        try await store.importing(
            ["Title,Author,ISBN13,,Title\nDune,Frank Herbert,9780441013593,kept,twice\n,Nobody,1,,\n"],
            job: "j")
        let expected = [
            #"{"kind":"work","id":"ol:OL893415W","title":"Dune","series":[],"firstPublicationYear":1965,"#
                + #""subjectTags":["Science Fiction"],"subjects":["Science fiction","Deserts"],"#
                + #""openLibraryID":"OL893415W","goodreadsWorkIDs":[],"librarythingIDs":[],"synthetic":false,"#
                + #""contributors":["openlibrary"],"isbndbQuality":55,"reviewStatus":"verified","#
                + #""people":[{"author":"ol:OL79034A","role":"author"}],"lineage":{"#
                + ["workKey", "title", "firstPublicationYear"].map { Self.given($0) }
                .joined(separator: ",") + ","
                + #""subject":{"rule":"union","provider":"openlibrary","record":"OL893415W","match":"isbn"},"#
                + #""genre":{"rule":"normalized","provider":"openlibrary","record":"OL893415W","match":"isbn"},"#
                + Self.given("authorName") + "}}",
            #"{"kind":"edition","id":"isbn:9780441013593","workId":"ol:OL893415W","isbn":"9780441013593","#
                + #""isbns":["9780441013593","0441013597"],"publisher":"Ace","pageCount":528,"#
                + #""language":"en","openLibraryID":"OL7353617M","librarythingIDs":[],"#
                + #""amazonASINs":[],"googleBooksVolumeIDs":[],"contributors":["openlibrary"],"#
                + #""isbndbQuality":55,"lineage":{"#
                + Self.given("editionKey") + ","
                + #""isbn13":{"rule":"given","library":"default","sourceFormat":"generic","#
                + #""sourceId":"~dune|frank herbert|9780441013593"},"#
                + ["publisher", "pageCount"].map { Self.given($0) }.joined(separator: ",") + ","
                + Self.given("language") + "}}",
            #"{"kind":"author","key":"ol:OL79034A","name":"Frank Herbert","gender":"Male","#
                + #""culturalRegion":"North America","nationality":"United States","birthYear":1920,"#
                + #""deathYear":1986,"openLibraryID":"OL79034A","wikidata":"Q7934","#
                + #""identification":"itemNamesAuthor"}"#,
            #"{"kind":"entry","library":"default","sourceFormat":"generic","#
                + #""sourceId":"~dune|frank herbert|9780441013593","edition":"isbn:9780441013593","#
                + #""cells":{"Title":"Dune","Author":"Frank Herbert","ISBN13":"9780441013593","#
                + ##""#4":"kept","#5 Title":"twice"}}"##,
            #"{"kind":"reject","library":"default","sourceFormat":"generic","code":"no_title_or_isbn","#
                + #""field":"ISBN13","value":"1","message":"The row has neither a title nor an ISBN."#
                + #" An ISBN has 10 or 13 digits; this number has neither.","raw":",Nobody,1,,"}"#,
        ]
        let lines = try dump(store)
        #expect(lines.count == expected.count)
        for (line, wanted) in zip(lines, expected) { #expect(line == wanted) }
    }

    private static func given(_ field: String) -> String {
        #""\#(field)":{"rule":"given","provider":"openlibrary","record":"OL893415W","match":"isbn"}"#
    }

    @Test func `the dump depends on the library only, not on batches, job names, times or row ids`()
        async throws
    {
        let rows = (1...60).map { (id: Int) -> String in
            let title = id % 7 == 0 ? "" : "Title \(id % 20)"
            let body = Int64(id % 30) + 30_640_615
            let isbn = id % 5 == 0 ? ISBN(body: body)?.isbn13 ?? "" : ""
            return SmallLibrary.row("\(id)", title, "Author \(id % 9)", isbn: isbn)
        }
        let text = ([SmallLibrary.header] + rows).joined(separator: "\n")
        var dumps: [[String]] = []
        for (batch, name) in [(1, "one"), (7, "seven"), (64, "all at once")] {
            let store = try FilledStore()
            store.batchRecords = batch
            await store.clock.sleep(nanoseconds: UInt64(batch) * 1_000_000_000)
            try await store.importing([text], as: ["\(batch).csv"], job: name)
            dumps.append(try dump(store))
        }
        #expect(dumps[0] == dumps[1] && dumps[1] == dumps[2])
        #expect(dumps[0].count > 60)
        #expect(dumps[0].allSatisfy { $0.hasPrefix(#"{"kind":""#) })
        #expect(!dumps[1].contains { $0.contains("seven") })
    }

    @Test func `importing a file again leaves the dump unchanged, including rejects`() async throws {
        let store = try await SmallLibrary.store()
        let before = try dump(store)
        try await store.importing([SmallLibrary.text], job: "again")
        #expect(try dump(store) == before)
    }

    @Test func `kinds and keys are sorted`() async throws {
        let store = try await SmallLibrary.store()
        let lines = try dump(store)
        let kinds = lines.compactMap { $0.split(separator: "\"").dropFirst(2).first.map(String.init) }
        #expect(kinds.count == lines.count)
        let ranks = lines.map { line in
            ["work", "edition", "author", "entry", "alias", "reject"].firstIndex {
                line.hasPrefix(#"{"kind":"\#($0)""#)
            }
        }
        #expect(ranks.allSatisfy { $0 != nil })
        #expect(ranks.compactMap(\.self) == ranks.compactMap(\.self).sorted())
    }
}
