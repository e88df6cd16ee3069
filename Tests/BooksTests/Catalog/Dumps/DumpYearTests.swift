import Testing

@testable import Books
@testable import Bytes

@Suite struct DumpYearTests {
    @Test(arguments: [
        ("2001", 2001), ("March 2001", 2001), ("Mar 03, 2001", 2001), ("2001-03-03", 2001), ("c1999", 1999),
        ("[1987?]", 1987), ("1854-", 1854), ("1412 i.e. 1992", 1412), ("3 March 1950", 1950),
        ("70 B.C.", -70),
        ("384 BC", -384), ("43 bce", -43), ("354", 354), ("2028", 2028),
    ]) func findsTheYear(text: String, year: Int32) {
        #expect(Array(text.utf8).lend { DumpYear.read($0, latest: 2028) } == year)
    }

    @Test(arguments: [
        "", "198-", "19th century", "unknown", "2029", "0999", "12345", "3 March", "20011231", "0", "00 BC",
        "12 becher",
    ]) func findsNoneWhereThereIsNone(text: String) {
        #expect(Array(text.utf8).lend { DumpYear.read($0, latest: 2028) } == nil, "\(text)")
    }
}
