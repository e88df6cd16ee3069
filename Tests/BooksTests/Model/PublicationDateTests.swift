import TestSupport
import Testing

@testable import Books
@testable import Bytes

@Suite struct PublicationDateTests {
    static func date(_ text: String) -> String? {
        var arena = Arena()
        let whole = arena.append(text)
        return ValueNormalizer.date(whole, in: &arena).map { arena[$0] }
    }

    @Test(arguments: [
        ("2001", "2001"), ("2001-03", "2001"), ("2001-03-05", "2001-03-05"), ("2001/03/05", "2001-03-05"),
        ("2001-3-5", "2001-03-05"), ("20010305", "2001-03-05"), ("2001-03-05T10:20:30Z", "2001-03-05"),
        ("March 2001", "2001"), ("December 31, 1994", "1994-12-31"), ("31 December 1994", "1994-12-31"),
        ("Dec 31, 1994", "1994-12-31"), ("31st Dec. 1994", "1994-12-31"), ("1994 Dec 31", "1994-12-31"),
        ("sept 9, 1994", "1994-09-09"), ("31.12.1994", "1994-12-31"), ("01.02.1994", "1994-02-01"),
        ("12/31/1994", "1994-12-31"), ("31/12/1994", "1994-12-31"), ("05/05/1994", "1994-05-05"),
        ("01/02/1994", "1994"), ("c1999", "1999"), ("©1999", "1999"), ("[1987?]", "1987"),
        ("ca. 1850", "1850"),
        ("1999-2000", "1999"), ("2003, c1999", "2003"), ("May 1998, 2nd edition", "1998"),
        ("Juni 1998", "1998"),
        ("12 Juni 1998", "1998-06-12"), ("2001-02-30", "2001"), ("2000-02-29", "2000-02-29"),
        ("1900-02-29", "1900"),
        ("2001-00-00", "2001"), ("2001-13-01", "2001"), ("  2001  ", "2001"), ("2001-03-051", "2001"),
    ])
    func `an unambiguous date is complete, otherwise only its year is kept`(text: String, expected: String) {
        #expect(Self.date(text) == expected)
    }

    @Test(arguments: [
        "", "n.d.", "19--?", "199?", "0000", "0000-00-00", "0001-01-01", "9999", "12", "MCMXCIV", "12345",
        "99999999",
        "\u{FFFD}", "１９９９",
    ])
    func `text without a year is not a date`(text: String) {
        #expect(Self.date(text) == nil)
    }

    @Test func `a date within a text is not copied`() {
        var arena = Arena()
        let texts = ["[1987?]", "2001-03-05T00:00", "2001-03"].map { arena.append($0) }
        let before = arena.byteCount
        for text in texts { #expect(ValueNormalizer.date(text, in: &arena) != nil) }
        #expect(arena.byteCount == before)
    }

    @Test func `a normalized date reads back as itself, and any bytes are accepted`() {
        var random = SeededGenerator(seed: 41)
        let alphabet = Array("0123456789-/. ,JanDecMarch[]?c".utf8) + [0xC3, 0xFF, 0]
        var dates = 0
        for _ in 0..<30_000 {
            let count = Int.random(in: 0...20, using: &random)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            guard let date = Self.date(String(decoding: bytes, as: UTF8.self)) else { continue }
            dates += 1
            #expect(date.wholeMatch(of: /[0-9]{4}(-[0-9]{2}-[0-9]{2})?/) != nil, "\(date)")
            #expect(Self.date(date) == date, "\(date)")
        }
        #expect(dates > 100, "\(dates) dates")
        #expect(Self.date(String(repeating: "1", count: 1_000_000)) == nil)
        #expect(Self.date(String(repeating: "May ", count: 100_000)) == nil)
    }

    static func year(_ text: String) -> Int? { Array(text.utf8).withUnsafeBytes { YearText.read($0) } }

    @Test(arguments: [
        ("1813", 1813), ("-850", -850), ("\u{2212}850", -850), ("850", 850), ("1813.0", 1813),
        ("800 BC", -800),
        ("44 B.C.E.", -44), ("79 AD", 79), ("1999?", 1999), ("March 2001", 2001), ("1813-01-28", 1813),
        ("1813.5 or so, or not", 1813),
    ])
    func `a BC year has a sign`(text: String, expected: Int) {
        #expect(Self.year(text) == expected)
    }

    @Test(arguments: ["", "0", "-", "-0", "none", "99999", "-5000", "1e3"])
    func `text without a year has none`(text: String) {
        #expect(Self.year(text) == nil)
    }

    @Test(
        arguments: [
            ("20060531", "2006-05-31"), ("c2006", "2006"), ("[2006?]", "2006"), ("2006", "2006"),
            ("20069999", nil),
            ("May 2006", nil), ("2006-05", nil), ("", nil), ("©1998, 2006", nil), ("850", nil),
        ] as [(String, String?)])
    func `dates in digits and decorated years have a canonical form`(text: String, date: String?) {
        #expect(PublicationDate.canonical(text) == date)
    }
}
