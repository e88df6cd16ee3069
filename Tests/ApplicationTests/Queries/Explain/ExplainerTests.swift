import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Contract
@testable import Database
@testable import Queries
@testable import Store
@testable import Syntax

@Suite
struct ExplainerTests {
    private func explain(_ store: FilledStore, _ text: String, job: String? = nil) throws -> Explanation {
        try Explainer(try store.open()).explain(BookReference(text), job: job)
    }

    private func failure(_ store: FilledStore, _ text: String, job: String? = nil) throws -> ETLError {
        func ask() throws { _ = try explain(store, text, job: job) }
        return try #require(throws: ETLError.self, performing: ask)
    }

    private func trace(_ part: Explanation.Part?, _ field: Field) -> Explanation.FieldTrace? {
        part?.fields.first { $0.field == field }
    }

    private static let openLibrary = Explanation.Source.provider(
        .openLibrary, record: "OL893415W", match: .isbn)
    private static let google = Explanation.Source.provider(
        .googleBooks, record: "B1hSG45JCX4C", match: .isbn)
    private static let reader = Explanation.Source.row(
        library: "default", formatName: "goodreads", sourceID: "1")

    @Test func `each field has value, source, rule and the values that lost`() async throws {
        let store = try await SmallLibrary.store()
        let explanation = try explain(store, "0-441-01359-7")
        #expect(explanation.work?.key == "ol:OL893415W")
        #expect(explanation.editions.map(\.key) == ["isbn:9780441013593"])

        let title = try #require(trace(explanation.work, .title))
        #expect(title.values == ["Dune"] && title.source == Self.openLibrary && title.rule == .firstInOrder)
        #expect(title.lost == [.init(source: Self.google, values: ["Dune Deluxe"])])

        let edition = explanation.editions[0]
        let publisher = try #require(trace(edition, .publisher))
        #expect(publisher.values == ["Ace"] && publisher.source == Self.openLibrary)
        #expect(
            publisher.lost == [
                .init(source: Self.reader, values: ["Ace Trade"]),
                .init(source: Self.google, values: ["Penguin"]),
            ])
        let rating = try #require(trace(edition, .averageRating))
        #expect(rating.source == Self.reader && rating.rule == .filledFromRow && rating.lost.isEmpty)
        #expect(trace(explanation.work, .authorName)?.values == ["Frank Herbert"])
        #expect(trace(explanation.work, .genre)?.values == ["Science Fiction"])
        #expect(explanation.sentenceWithoutAnswers == nil)
    }

    @Test func `each element of a list has its own source`() async throws {
        let store = try FilledStore()
        let isbn = "9780306406157"
        store.known[isbn] = [
            KnownBook(
                .openLibrary, "OL1W",
                [
                    (.workKey, "OL1W"), (.title, "Reef"), (.subject, "Fantasy"), (.subject, "Deserts"),
                    (.isbn13, isbn),
                ],
                authors: [[(.authorName, "Bo Ek"), (.authorKey, "OL2A")]]),
            KnownBook(
                .googleBooks, "G1",
                [(.title, "Reef"), (.subject, "Deserts"), (.subject, "Humor"), (.isbn13, "9780441013593")]),
        ]
        let row = SmallLibrary.row("1", "Reef", "Bo Ek", isbn: isbn, others: "عادل مصطفى")
        try await store.importing([SmallLibrary.header + "\n" + row + "\n"], job: "j")
        let explanation = try explain(store, isbn)
        func elements(_ part: Explanation.Part?, _ field: Field) -> [String]? {
            trace(part, field)?.elements.map { element in
                switch element.source {
                case .provider(let provider, _, _): "\(element.value) \(provider)"
                case .row: "\(element.value) row"
                default: "\(element.value) ?"
                }
            }
        }
        #expect(
            elements(explanation.work, .subject) == [
                "Fantasy openLibrary", "Deserts openLibrary", "Humor googleBooks",
            ])
        #expect(elements(explanation.work, .genre) == ["Fantasy openLibrary", "Humor googleBooks"])
        #expect(elements(explanation.work, .authorName) == ["Bo Ek openLibrary", "عادل مصطفى row"])
        #expect(
            elements(explanation.editions.first, .isbn13) == [
                "\(isbn) row", "9780441013593 googleBooks", "0306406152 row", "0441013597 googleBooks",
            ])
        #expect(elements(explanation.work, .title) == [])

        // A second row and a later one add to the lists.
        let other = SmallLibrary.row("2", "Reef", "Bo Ek", isbn: isbn, others: "Kim Ro")
        store.known = [:]
        try await store.importing([SmallLibrary.header + "\n" + other + "\n"], job: "k", library: "other")
        let later = try explain(store, isbn)
        let people = trace(later.work, .authorName)
        #expect(people?.values == ["Bo Ek", "عادل مصطفى", "Kim Ro"])
        #expect(
            people?.elements.last?.source
                == .row(library: "other", formatName: "goodreads", sourceID: "2"))
        let dump = try store.open().canonicalDump()
        #expect(dump.contains(#""elements":["#))
    }

    @Test func `answers, people, entries and records are explained with reasons`() async throws {
        let store = try await SmallLibrary.store()
        let explanation = try explain(store, "9780441013593")
        #expect(explanation.answers.map(\.record) == ["OL893415W", "B1hSG45JCX4C"])
        let herbert = try #require(explanation.authors.first)
        #expect(herbert.identification == .itemNamesAuthor && herbert.wikidata == "Q7934")
        #expect(herbert.author.gender == .male && herbert.author.deathYear == 1986)
        #expect(explanation.entries.map(\.sourceID) == ["1"])
        #expect(explanation.entries[0].rating == 5)
        #expect(explanation.records.map(\.row) == [2, 6])
        #expect(explanation.records.map(\.outcome) == [.created, .duplicate])
        #expect(explanation.records[0].job == "first")
        #expect(explanation.records[0].endedAt == 1_700_000_000_000)
    }

    @Test func `a row leads to its book with its warnings, or to its reject`() async throws {
        let store = try await SmallLibrary.store()
        let damaged = try explain(store, "row:4", job: "first")
        #expect(damaged.records[0].warnings.map(\.code) == ["isbn13_check_digit"])
        #expect(damaged.sentenceWithoutAnswers?.hasPrefix("No provider matched") == true)
        #expect(
            trace(damaged.work, .title)?.source
                == .row(library: "default", formatName: "goodreads", sourceID: "3"))

        let rejected = try explain(store, "row:5")
        #expect(rejected.work == nil)
        #expect(rejected.reject?.code == "no_title_or_isbn")
    }

    @Test func `a match by title alone may be another edition, and unidentified people have a reason`()
        async throws
    {
        let store = try await SmallLibrary.store()
        let explanation = try explain(store, "row:3")
        #expect(explanation.answers.map(\.match) == [.titleAuthor])
        #expect(explanation.authors[0].identification == .unknownPerson)
        #expect(trace(explanation.work, .seriesName)?.values == ["Earthsea Cycle #1"])
        #expect(explanation.work?.reviewStatus == .needsReview)
    }

    @Test(arguments: ["ol:OL893415W", "OL893415W", "isbn:9780441013593", "OL7353617M"])
    func `a book is found by any of its keys`(key: String) async throws {
        let store = try await SmallLibrary.store()
        #expect(try explain(store, key).work?.key == "ol:OL893415W")
    }

    @Test func `a book is found by its source id, also if it looks like a number`()
        async throws
    {
        let store = try FilledStore()
        let row = SmallLibrary.row("990000101", "Dune", "Frank Herbert")
        try await store.importing([SmallLibrary.header + "\n" + row], job: "j")
        #expect(try explain(store, "id:990000101").entries.map(\.sourceID) == ["990000101"])
        #expect(try explain(store, "990000101").entries.map(\.sourceID) == ["990000101"])
        #expect(try failure(store, "id:7").kind == .missing)
    }

    @Test func `a provider's only value is explained next to the user's own`() async throws {
        let store = try await SmallLibrary.store()
        var alone = try #require(trace(try explain(store, "row:3").work, .title))
        alone.rule = .given
        alone.lost = []
        #expect(alone.reason == MergeRule.given.sentence)
        alone.lost = [.init(source: Self.reader, values: ["Another"])]
        #expect(alone.reason?.contains("Only one provider had a value") == true)
    }

    @Test(arguments: [false, true])
    func `a later row's value is listed as lost`(isReversed: Bool) async throws {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        let files = [
            "Book Id,Title,Author,ISBN13,Number of Pages\n7,Reef,Ada Example,9780306406157,153\n",
            "Title,Author,ISBN13,Number of Pages\nReef,Bo Sample,9780306406157,160\n",
        ]
        for (number, file) in (isReversed ? files.reversed() : files).enumerated() {
            sample.files = [try sample.folder.write(file, to: "\(number).csv")]
            _ = try await sample.run("s.sqlite")
        }
        let store = try StoreFile.openForReading(sample.folder.file("s.sqlite"))
        let explanation = try Explainer(store).explain(BookReference("9780306406157"))
        let pages = try #require(trace(explanation.editions.first, .pageCount))
        #expect(pages.values == [isReversed ? "160" : "153"])
        #expect(pages.lost.map(\.values) == [[isReversed ? "153" : "160"]])
        let author = try #require(trace(explanation.work, .authorName))
        #expect(author.rule == .given)
        #expect(author.reason == "It comes from the first row; later rows only fill gaps.")
    }

    @Test func `a title key is found, and a key that is not indexed yet`() async throws {
        let store = try await SmallLibrary.store()
        #expect(try explain(store, "title:broken number|somebody|").editions.count == 1)
        let writer = try StoreFile.openForWriting(store.path)
        try writer.execute(
            "DELETE FROM work_keys; DELETE FROM edition_isbns; DELETE FROM edition_keys; DELETE FROM flushed")
        for key in ["ol:OL893415W", "9780441013593", "isbn:9780441013593", "title:broken number|somebody|"] {
            #expect(try explain(store, key).work != nil, "\(key)")
        }
    }

    @Test func `the key of a merged work leads to the remaining one`() async throws {
        let store = try FilledStore()
        let first = SmallLibrary.row("1", "Twin", "A", isbn: "9780306406157")
        let second = SmallLibrary.row("2", "Twin", "A", isbn: "9780441013593")
        try await store.importing(
            [[SmallLibrary.header, first, second].joined(separator: "\n")], job: "apart")
        // Now a provider knows both numbers for one edition: the works turn out to be the same.
        store.known = [
            "9780306406157": [
                KnownBook(
                    .googleBooks, "G1",
                    [(.title, "Twin"), (.isbn13, "9780306406157"), (.isbn13, "9780441013593")])
            ]
        ]
        let changed = SmallLibrary.row("1", "Twin", "A", isbn: "9780306406157", rating: "3")
        try await store.importing([[SmallLibrary.header, changed].joined(separator: "\n")], job: "together")

        let explanation = try explain(store, "isbn:9780441013593")
        #expect(explanation.work?.key == "isbn:9780306406157")
        #expect(explanation.work?.aliases == ["isbn:9780441013593"])
        #expect(explanation.remarks.first?.contains("merged") == true)
        #expect(explanation.editions.count == 2, "both editions are kept")
        #expect(try explain(store, "9780441013593").work?.key == "isbn:9780306406157")
        #expect(
            try store.open().canonicalDump().contains(
                #"{"kind":"alias","id":"isbn:9780441013593","work":"isbn:9780306406157"}"#))
        #expect(try StoreCheck(try store.open()).problems().isEmpty)
    }

    @Test func `a missing book is reported with similar ones`() async throws {
        let store = try await SmallLibrary.store()
        let cases = [
            ("9780306406157", "valid ISBN"), ("9780441013594", "is not a valid ISBN"),
            ("row:99", "no row 99"),
            ("row:3:2", "no row 2 in its file 3"), ("ol:OL1W", "has the key `ol:OL1W`"), ("", "has the key"),
            ("x'; DROP TABLE works; --", "has the key"),
        ]
        for (text, words) in cases {
            let failure = try failure(store, text)
            #expect(failure.kind == (words == "is not a valid ISBN" ? .usage : .missing))
            #expect(failure.message.contains(words), "\(failure)")
        }
        #expect(try failure(store, "row:2", job: "nobody").message.contains("no job `nobody`"))
        #expect(
            try failure(store, "OL79034A").advice?.description.contains("ol:OL893415W") == true,
            "advice for the key of an author")
        #expect(
            try failure(store, "Broken").advice?.description.contains("title:broken number|somebody|") == true
        )
    }

    @Test func `a row that is in several files needs its file`() async throws {
        let store = try FilledStore()
        let text = [SmallLibrary.header, SmallLibrary.dune].joined(separator: "\n")
        let other = [SmallLibrary.header, SmallLibrary.earthsea].joined(separator: "\n")
        try await store.importing([text, other], as: ["a.csv", "b.csv"], job: "two")
        #expect(try failure(store, "row:2").advice?.description.contains("row:2:2") == true)
        let explanation = try explain(store, "row:2:2")
        #expect(explanation.work?.fields.first?.values == ["A Wizard of Earthsea"])
        #expect(explanation.records.first?.file?.hasSuffix("b.csv") == true)
    }

    @Test func `a damaged store explains what is left`() async throws {
        let store = try await SmallLibrary.store()
        let writer = try StoreFile.openForWriting(store.path)
        try writer.execute(
            """
            UPDATE works SET lineage = x'FFFFFFFF', series = '[{', genres = '{"no":"list"}';
            UPDATE candidates SET body = x'01FF'; UPDATE layouts SET format = 'gone'; DELETE FROM authors
            """)
        let explanation = try explain(store, "9780441013593")
        #expect(trace(explanation.work, .title)?.values == ["Dune"])
        #expect(trace(explanation.work, .title)?.source == nil)
        #expect(explanation.authors.isEmpty)
    }

    @Test func `the JSON of an explanation is valid and complete`() async throws {
        let store = try await SmallLibrary.store()
        var out = JSONWriter()
        try explain(store, "9780441013593").write(into: &out)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(out.bytes)) as? [String: Any])
        #expect(
            Set(object.keys) == ["title", "work", "editions", "authors", "entries", "answers", "records"])
        let work = try #require(object["work"] as? [String: Any])
        let title = try #require((work["fields"] as? [[String: Any]])?.first)
        #expect(title["field"] as? String == "title")
        #expect(title["value"] as? String == "Dune")
        #expect(title["rule"] as? String == "firstInOrder")
        #expect(
            (title["from"] as? [String: String]) == [
                "provider": "openlibrary", "record": "OL893415W", "match": "isbn",
            ])
    }

    @Test func `every rule, identification, match and outcome has its own sentence`() {
        let sentences =
            MergeRule.allCases.map(\.sentence) + Identification.allCases.map(\.sentence)
            + RecordOutcome.allCases.map(\.sentence) + [Candidate.Match.isbn, .titleAuthor].map(\.sentence)
        #expect(Set(sentences).count == sentences.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    }
}
