import Testing

@testable import Books

@Suite struct ISBNAnswerTests {
    @Test(arguments: ["", "  ", "=\"\""])
    func `empty text is not an ISBN`(text: String) {
        let answer = ISBNAnswer(.check, text)
        #expect(answer.verdict == "impossible" && answer.reason == "isbn_not_a_number")
        #expect(!answer.isAnswered)
    }

    @Test func `a repair has a rule`() {
        let answer = ISBNAnswer(.check, "439023483")
        #expect(answer.verdict == "repaired")
        #expect(answer.rule == "lost_leading_zeros")
        #expect(answer.isbn10 == "0439023483")
        #expect(answer.isAnswered)
    }

    @Test func `an impossible ISBN has a reason and a proposal`() {
        let answer = ISBNAnswer(.check, "978043902348")
        #expect(answer.verdict == "impossible")
        #expect(answer.reason == "isbn_wrong_length")
        #expect(answer.proposal == "9780439023481")
        #expect(answer.checkDigit == "1")
        #expect(answer.isbn13 == nil)
        #expect(!answer.isAnswered)
    }

    @Test func `an ISBN with 979 has no ISBN-10, with a reason`() {
        let answer = ISBNAnswer(.toTen, "979-10-90636-07-1")
        #expect(answer.isbn10 == nil)
        #expect(answer.reason == "no_isbn10")
        #expect(!answer.isAnswered)
        #expect(ISBNAnswer(.toThirteen, "979-10-90636-07-1").isAnswered)
    }

    @Test func `hyphens follow the range table`() {
        let answer = ISBNAnswer(.hyphenate, "9780439023481")
        #expect(answer.hyphenated == "978-0-439-02348-1")
        #expect(answer.hyphenated10 == "0-439-02348-3")
        let unknown = ISBNAnswer(.hyphenate, "9780439023481", ranges: ISBNRangeTable())
        #expect(unknown.hyphenated == nil)
        #expect(unknown.reason == "unknown_range")
        #expect(!unknown.isAnswered)
    }

    @Test(arguments: [("082649752", "7"), ("585270001", "0"), ("978-082649752", "9"), ("359821507", "X")])
    func `nine or twelve digits get a check digit`(body: String, digit: String) {
        let answer = ISBNAnswer(.checkDigit, body)
        #expect(answer.checkDigit == digit)
        #expect(answer.verdict == "valid")
        #expect(answer.isAnswered)
    }

    @Test(arguments: [
        "08264975X", "08264975", "97808264975", "97808264975X", "979012345678", "", "abcdefghi",
    ])
    func `other text has no check digit`(body: String) {
        let answer = ISBNAnswer(.checkDigit, body)
        #expect(answer.checkDigit == nil)
        #expect(answer.verdict == "impossible")
        #expect(!answer.isAnswered)
    }
}
