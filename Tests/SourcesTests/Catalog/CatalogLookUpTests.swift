import Sources
import System
import TestSupport
import Testing

@testable import Books

@Suite struct CatalogLookUpTests {
    typealias Dump = DumpFixture

    @Test func `an edition is found with its work and authors`() async throws {
        let fixture = try await CatalogFixture([
            Dump.edition(
                7,
                #""title": "The Paper Lighthouse", "subtitle": "a novel", "isbn_13": ["978-1-234567-89-7"], "isbn_10": ["123456789X"], "#
                    + #""publishers": ["Harbour Press", "Other"], "publish_date": "March 2001", "number_of_pages": 312, "#
                    + #""physical_format": "Trade Paperback", "languages": [{"key": "/languages/eng"}], "#
                    + #""translated_from": [{"key": "/l/por"}], "covers": [-1, 0, null, 42], "#
                    + #""description": {"type": "/type/text", "value": "A keeper\u0000 folds \"boats\"."}, "#
                    + #""identifiers": {"goodreads": ["11", "12"], "librarything": ["13"], "amazon": ["B00ABCDEF1"], "google": ["g"]}"#,
                work: 3),
            Dump.work(
                3,
                #""title": "The Paper Lighthouse", "description": "Long.", "subjects": ["Fiction", "Lighthouses"], "#
                    + #""first_publish_date": "c1999", "covers": [9], "identifiers": {"wikidata": ["Q5"], "goodreads": ["6"]}"#,
                author: 5),
            Dump.author(
                5,
                #""name": "Ada Example", "alternate_names": ["A. Example"], "birth_date": "3 March 1950", "death_date": "2011?", "#
                    + #""remote_ids": {"wikidata": "Q900", "viaf": "1", "isni": "2", "goodreads": "3", "imdb": "4"}"#
            ),
        ])
        let found = try await fixture.find("9781234567897")
        #expect(found.outcome == .found)
        #expect(found.record == "OL7M")
        #expect(!found.isSynthetic)
        #expect(found[.editionKey] == ["OL7M"])
        #expect(found[.editionTitle] == ["The Paper Lighthouse"])
        #expect(found[.editionSubtitle] == ["a novel"])
        #expect(found[.isbn13] == ["9781234567897"])
        #expect(found[.isbn10] == ["123456789X"])
        #expect(found[.publisher] == ["Harbour Press"])
        #expect(found[.publicationDate] == ["March 2001"])
        #expect(found[.pageCount] == ["312"])
        #expect(found[.format] == ["Paperback"])
        #expect(found[.language] == ["en"])
        #expect(found[.originalLanguage] == ["pt"])
        #expect(found[.editionCover] == ["https://covers.openlibrary.org/b/id/42-L.jpg"])
        #expect(found[.editionDescription] == ["A keeper folds \"boats\"."])
        #expect(found[.editionGoodreadsID] == ["11", "12"])
        #expect(found[.editionLibraryThingID] == ["13"])
        #expect(found[.amazonASIN] == ["B00ABCDEF1"])
        #expect(found[.googleBooksVolumeID] == ["g"])
        #expect(found[.workKey] == ["OL3W"])
        #expect(found[.title] == ["The Paper Lighthouse"])
        #expect(found[.description] == ["Long."])
        #expect(found[.subject] == ["Fiction", "Lighthouses"])
        #expect(found[.firstPublicationYear] == ["1999"])
        #expect(found[.workCover] == ["https://covers.openlibrary.org/b/id/9-L.jpg"])
        #expect(found[.workWikidata] == ["Q5"])
        #expect(found[.workGoodreadsID] == ["6"])
        #expect(found[.authorKey] == ["OL5A"])
        #expect(found[.authorName] == ["Ada Example"])
        #expect(found[.authorBirthYear] == ["1950"])
        #expect(found[.authorDeathYear] == ["2011"])
        #expect(found[.authorWikidata] == ["Q900"])
        #expect(found[.authorVIAF] == ["1"])
        #expect(found[.authorISNI] == ["2"])
        #expect(found[.authorGoodreadsID] == ["3"])
        #expect(try await fixture.find("9780306406157").outcome == .notFound)
    }

    @Test func `authors are numbered in the work's order, and old record shapes are read`() async throws {
        let fixture = try await CatalogFixture([
            Dump.author(1, #""personal_name": "One""#), Dump.author(2, #""name": "Two""#),
            Dump.author(3, #""name": "Three""#),
            Dump.work(
                9,
                #""title": "T", "authors": [{"author": "/authors/OL3A"}, "/a/OL1A", {"key": "/authors/OL404A"}, "#
                    + #"{"author": {"key": "/authors/OL2A"}}, {"author": {"key": "/authors/OL3A"}}, null, {"author": null}]"#
            ),
            Dump.edition(1, #""isbn_13": "9780306406157""#, work: 9),
        ])
        let found = try await fixture.find("9780306406157")
        #expect(found.authorNames == ["Three", "One", "Two"])
        #expect(found[.authorName, author: 1] == ["One"])
        #expect(found[.authorKey, author: 2] == ["OL2A"])
    }

    @Test func `an edition without a work record stands in for it`() async throws {
        let fixture = try await CatalogFixture([
            Dump.author(1, #""name": "One""#),
            Dump.edition(
                1,
                #""title": "Alone", "subtitle": "at last", "subjects": ["Solitude"], "isbn_10": ["0306406152"], "#
                    + #""authors": [{"key": "/authors/OL1A"}]"#),
            Dump.edition(2, #""title": "Lost", "isbn_13": ["9780140328721"]"#, work: 404),
        ])
        let alone = try await fixture.find("9780306406157")
        #expect(alone.isSynthetic)
        #expect(alone[.title] == ["Alone"])
        #expect(alone[.subtitle] == ["at last"])
        #expect(alone[.subject] == ["Solitude"])
        #expect(alone.authorNames == ["One"])
        // Its work has a key, though no record: it is not synthetic.
        let lost = try await fixture.find("9780140328721")
        #expect(!lost.isSynthetic)
        #expect(lost[.workKey] == ["OL404W"])
        #expect(lost[.title] == ["Lost"])
        #expect(fixture.report.editionsWithoutWork == 2)
    }

    @Test func `authors of the edition are used only if the work has none`() async throws {
        let fixture = try await CatalogFixture([
            Dump.author(1, #""name": "Of the edition""#), Dump.author(2, #""name": "Of the work""#),
            Dump.work(1, #""title": "With""#, author: 2), Dump.work(2, #""title": "Without""#),
            Dump.edition(1, #""isbn_13": ["9780306406157"], "authors": [{"key": "/authors/OL1A"}]"#, work: 1),
            Dump.edition(2, #""isbn_13": ["9780140328721"], "authors": [{"key": "/authors/OL1A"}]"#, work: 2),
        ])
        #expect(try await fixture.find("9780306406157").authorNames == ["Of the work"])
        #expect(try await fixture.find("9780140328721").authorNames == ["Of the edition"])
    }

    @Test func `redirects and deletions of works and authors are followed`() async throws {
        let fixture = try await CatalogFixture([
            Dump.redirect("/works/OL1W", to: "/works/OL2W"), Dump.redirect("/works/OL2W", to: "/works/OL3W"),
            Dump.work(3, #""title": "Third""#, author: 7),
            Dump.redirect("/authors/OL7A", to: "/authors/OL8A"),
            Dump.author(8, #""name": "Eight""#), Dump.author(9, #""name": "Nine""#),
            Dump.delete("/authors/OL9A"),
            Dump.edition(1, #""isbn_13": ["9780306406157"]"#, work: 1),
            Dump.edition(2, #""isbn_13": ["9780140328721"]"#), Dump.delete("/books/OL2M"),
            Dump.edition(3, #""title": "Kept", "isbn_13": ["9780547928227"]"#, work: 5, revision: 3),
            Dump.delete("/books/OL3M", revision: 2),
            Dump.work(5, #""title": "Gone""#, author: 9, revision: 2),
            Dump.delete("/works/OL5W", revision: 3),
        ])
        let first = try await fixture.find("9780306406157")
        #expect(first[.workKey] == ["OL3W"])
        #expect(first.authorNames == ["Eight"])
        #expect(try await fixture.find("9780140328721").outcome == .notFound)
        let kept = try await fixture.find("9780547928227")
        #expect(kept.outcome == .found)
        #expect(kept[.title] == ["Kept"])
        #expect(kept[.workKey] == [])
        #expect(kept.isSynthetic)
        #expect(fixture.report.authors == 1)
        #expect(fixture.report.read.redirects == 3)
        #expect(fixture.report.read.deletes == 4)
    }

    @Test func `circular and overlong redirects lead nowhere`() async throws {
        var lines = [
            Dump.redirect("/works/OL1W", to: "/works/OL2W"), Dump.redirect("/works/OL2W", to: "/works/OL1W"),
            Dump.redirect("/works/OL3W", to: "/works/OL3W"),
            Dump.redirect("/works/OL4W", to: "/authors/OL1A"),
            Dump.edition(1, #""title": "Loop", "isbn_13": ["9780306406157"]"#, work: 1),
        ]
        // 10 → 11 → … → 16 is six steps, 11 → … → 16 is five.
        lines += (10..<16).map { Dump.redirect("/works/OL\($0)W", to: "/works/OL\($0 + 1)W") }
        lines += [
            Dump.work(16, #""title": "End""#),
            Dump.edition(2, #""title": "Far", "isbn_13": ["9780140328721"]"#, work: 10),
            Dump.edition(3, #""title": "Near", "isbn_13": ["9780547928227"]"#, work: 11),
        ]
        let fixture = try await CatalogFixture(lines)
        #expect(try await fixture.find("9780306406157")[.title] == ["Loop"])
        #expect(try await fixture.find("9780140328721")[.title] == ["Far"])
        #expect(try await fixture.find("9780547928227")[.title] == ["End"])
        #expect(fixture.report.deadRedirects == 4)
    }

    @Test func `a contested ISBN goes to the edition with more data, then to the lower key`() async throws {
        let bare = #""isbn_13": ["9780306406157"]"#
        let full = #""isbn_13": ["9780306406157"], "title": "Full", "publish_date": "1999""#
        let lines = [
            Dump.edition(1, bare), Dump.edition(30, full), Dump.edition(20, full), Dump.edition(4, bare),
        ]
        for lines in [lines, lines.reversed()] {
            let fixture = try await CatalogFixture(lines)
            #expect(try await fixture.find("9780306406157").record == "OL20M")
            #expect(fixture.report.isbns == 1)
            #expect(fixture.report.contestedISBNs == 3)
        }
    }

    @Test func `the latest revision wins, whatever the order`() async throws {
        let lines = [
            Dump.edition(
                1, #""isbn_13": ["9780306406157"], "title": "Old", "publish_date": "1999""#, work: 1,
                revision: 2),
            Dump.edition(1, #""isbn_13": ["9780306406157"], "title": "New""#, work: 1, revision: 10),
            Dump.work(1, #""title": "Old work""#, author: 1, revision: 2),
            Dump.work(1, #""title": "New work""#, author: 1, revision: 10),
            Dump.author(1, #""name": "Old author""#, revision: 2),
            Dump.author(1, #""name": "New author""#, revision: 10),
        ]
        for lines in [lines, lines.reversed()] {
            let found = try await CatalogFixture(lines).find("9780306406157")
            #expect(found[.editionTitle] == ["New"])
            #expect(found[.title] == ["New work"])
            #expect(found.authorNames == ["New author"])
        }
    }

    @Test func `invalid ISBNs are skipped and counted`() async throws {
        let fixture = try await CatalogFixture([
            Dump.edition(
                1,
                #""isbn_13": ["9780306406158", "9780306406157", " 978 0 306 40615 7"], "isbn_10": ["0000000000", "0-306-40615-2", "x", ""]"#
            ),
            Dump.edition(2, #""isbn_13": ["9790000000000"], "isbn_10": [0]"#), Dump.edition(3, ""),
        ])
        #expect(fixture.report.isbns == 1)
        #expect(fixture.report.read.wrongISBNs == 4)
        #expect(fixture.report.read.editionsWithoutISBN == 2)
        #expect(try await fixture.find("0306406152")[.isbn13] == ["9780306406157"])
    }

    @Test func `an edition is found by each of its ISBNs`() async throws {
        let fixture = try await CatalogFixture([
            Dump.edition(1, #""isbn_13": ["9780306406157", "9791034304271"]"#)
        ])
        #expect(try await fixture.find("9780306406157").record == "OL1M")
        let found = try await fixture.find("9791034304271")
        #expect(found.record == "OL1M")
        #expect(found[.isbn13] == ["9780306406157", "9791034304271"])
        #expect(found[.isbn10] == ["0306406152"])
    }

    @Test func `values of unexpected types are tolerated`() async throws {
        let fixture = try await CatalogFixture([
            Dump.edition(
                1,
                #""isbn_13": ["9780306406157", null, 5, {"value": "9780140328721"}], "title": {"type": "/type/text", "value": "T"}, "#
                    + #""subtitle": 7, "number_of_pages": "312", "covers": 5, "languages": "eng", "publishers": "P", "#
                    + #""identifiers": [], "works": {}, "authors": null, "physical_format": ["Paperback"], "description": [], "publish_date": 1999"#
            )
        ])
        let found = try await fixture.find("9780140328721")
        #expect(found[.editionTitle] == ["T"])
        #expect(found[.pageCount] == ["312"])
        #expect(found[.publisher] == ["P"])
        #expect(found.fields.isDisjoint(with: [.editionSubtitle, .editionCover, .language, .format]))
    }

    @Test func `overlong values are cut at a character`() async throws {
        let title = String(repeating: "é", count: 1_500)
        let fixture = try await CatalogFixture([
            Dump.edition(1, #""isbn_13": ["9780306406157"], "title": "x\#(title)""#)
        ])
        let found = try await fixture.find("9780306406157")
        #expect(found[.editionTitle] == ["x" + String(title.prefix(999))])
        #expect(fixture.report.read.cutValues == 1)
    }
}
