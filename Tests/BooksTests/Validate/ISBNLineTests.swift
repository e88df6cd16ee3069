import Foundation
import Testing

@testable import Books

@Suite struct ISBNLineTests {
    @Test func `a line is one JSON object with its keys in order`() {
        #expect(
            ISBNLine(.check, "0-8264-9752-7").json
                == #"{"input":"0-8264-9752-7","verdict":"valid","isbn13":"9780826497529","isbn10":"0826497527"}"#
        )
    }

    @Test(arguments: ["", "  ", "=\"\""])
    func `nothing is no ISBN`(text: String) {
        let line = ISBNLine(.check, text)
        #expect(line["verdict"] == "impossible" && line["reason"] == "isbn_not_a_number")
        #expect(!line.isAnswered)
    }

    @Test func `a repair names its rule`() {
        let line = ISBNLine(.check, "439023483")
        #expect(line["verdict"] == "repaired")
        #expect(line["rule"] == "lost_leading_zeros")
        #expect(line["isbn10"] == "0439023483")
        #expect(line.isAnswered)
    }

    @Test func `an impossible one names its reason and its proposal`() {
        let line = ISBNLine(.check, "978043902348")
        #expect(line["verdict"] == "impossible")
        #expect(line["reason"] == "isbn_wrong_length")
        #expect(line["proposal"] == "9780439023481")
        #expect(line["checkDigit"] == "1")
        #expect(line["isbn13"] == nil)
        #expect(!line.isAnswered)
    }

    @Test func `an ISBN of 979 has no ISBN-10 and says so`() {
        let line = ISBNLine(.toTen, "979-10-90636-07-1")
        #expect(line["isbn10"] == nil)
        #expect(line["reason"] == "no_isbn10")
        #expect(!line.isAnswered)
        #expect(ISBNLine(.toThirteen, "979-10-90636-07-1").isAnswered)
    }

    @Test func `hyphens go where the range table puts them`() {
        let line = ISBNLine(.hyphenate, "9780439023481")
        #expect(line["hyphenated"] == "978-0-439-02348-1")
        #expect(line["hyphenated10"] == "0-439-02348-3")
        let unknown = ISBNLine(.hyphenate, "9780439023481", ranges: ISBNRangeTable())
        #expect(unknown["hyphenated"] == nil)
        #expect(unknown["reason"] == "unknown_range")
        #expect(!unknown.isAnswered)
    }

    @Test(arguments: [("082649752", "7"), ("585270001", "0"), ("978-082649752", "9"), ("359821507", "X")])
    func `a check digit completes nine or twelve digits`(stem: String, digit: String) {
        let line = ISBNLine(.checkDigit, stem)
        #expect(line["checkDigit"] == digit)
        #expect(line["verdict"] == "valid")
        #expect(line.isAnswered)
    }

    @Test(arguments: [
        "08264975X", "08264975", "97808264975", "97808264975X", "979012345678", "", "abcdefghi",
    ])
    func `nothing else has a check digit`(stem: String) {
        let line = ISBNLine(.checkDigit, stem)
        #expect(line["checkDigit"] == nil)
        #expect(line["verdict"] == "impossible")
        #expect(!line.isAnswered)
    }

    @Test(arguments: ["a\"b\\c", "tab\tnew\nline\r\u{1}", "Ünïcode 漢字 👍", "\u{2028}"])
    func `any input makes a line that JSON reads back`(input: String) throws {
        let line = ISBNLine(.check, input).json
        #expect(!line.contains("\n"))
        let decoded = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(decoded["input"] == input)
    }
}
