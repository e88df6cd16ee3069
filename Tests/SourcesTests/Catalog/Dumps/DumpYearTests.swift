import System
import TestSupport
import Testing

@testable import Bytes
@testable import Sources

@Suite struct DumpYearTests {
    @Test(arguments: [
        ("2001", 2001), ("March 2001", 2001), ("Mar 03, 2001", 2001), ("2001-03-03", 2001), ("c1999", 1999),
        ("[1987?]", 1987), ("1854-", 1854), ("1412 i.e. 1992", 1412), ("3 March 1950", 1950),
        ("70 B.C.", -70),
        ("384 BC", -384), ("43 bce", -43), ("354", 354), ("2028", 2028),
    ]) func `the year is found`(text: String, year: Int32) {
        #expect(Array(text.utf8).lend { DumpYear.read($0, latest: 2028) } == year)
    }

    @Test(arguments: [
        "", "198-", "19th century", "unknown", "2029", "0999", "12345", "3 March", "20011231", "0", "00 BC",
        "12 becher",
    ]) func `text without a year has none`(text: String) {
        #expect(Array(text.utf8).lend { DumpYear.read($0, latest: 2028) } == nil, "\(text)")
    }
}

@Suite struct DumpDateTests {
    @Test(arguments: [
        ("ol_dump_editions_2026-05-31.txt.gz", "2026-05-31"),
        ("a/2020-01-01/wikidata-20260105-all.json.gz", "2026-01-05"),
        ("ol_dump_latest.txt.gz", nil), ("ol_dump_2026-13-01.txt", nil), ("123456789.gz", nil), ("", nil),
        ("99999999.gz", nil), ("x1-2-3", nil),
    ])
    func `the date is read from the file name`(name: String, date: String?) {
        #expect(DumpDate.inName(name) == date)
    }
}

@Suite struct DumpISBNsTests {
    @Test func `what catalogers write around a number is no part of it`() async throws {
        let texts = [
            "9780306406157 (set)", "978-0-8264-9752-9 (pbk.)", "ISBN 9780439023481", "9780140449136 :",
            "9780261103344 hardcover", "0-553-28368-5 (v. 2)", "9780306406158 (set)",
        ]
        let fixture = try await CatalogFixture(
            texts.enumerated().map { DumpFixture.edition($0 + 1, #""title": "T", "isbn_13": ["\#($1)"]"#) })
        for isbn in [
            "9780306406157", "9780826497529", "9780439023481", "9780140449136", "9780261103344",
            "9780553283686",
        ] {
            #expect(try await fixture.find(isbn).outcome == .found, "\(isbn)")
        }
        #expect(fixture.report.read.wrongISBNs == 1)
    }

    @Test(arguments: [1, DumpISBNs.limit, DumpISBNs.limit + 1, 500])
    func `the first ISBNs of an edition are taken and the others counted`(count: Int) async throws {
        // Each twice and the highest first, so that the order shows which was taken.
        let numbers = (1...count).reversed().flatMap { [DumpFixture.isbn($0), DumpFixture.isbn($0)] }
        let list = numbers.map { "\"\($0)\"" }.joined(separator: ", ")
        let fixture = try await CatalogFixture([
            DumpFixture.edition(1, #""title": "T", "isbn_13": [\#(list)]"#)
        ])
        let taken = min(count, DumpISBNs.limit)
        #expect(fixture.report.isbns == taken)
        #expect(fixture.report.read.wrongISBNs == 0)
        #expect(fixture.report.read.surplusISBNs == (count - taken) * 2)
        #expect(try await fixture.find(DumpFixture.isbn(count)).outcome == .found)
        #expect(try await fixture.find(DumpFixture.isbn(count - taken + 1)).outcome == .found)
        if count > taken {
            #expect(try await fixture.find(DumpFixture.isbn(count - taken)).outcome == .notFound)
        }
    }
}
