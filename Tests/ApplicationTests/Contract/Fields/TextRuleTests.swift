import Contract
import Foundation
import Testing

@Suite struct TextRuleTests {
    private static func matches(_ rule: TextRule, _ text: String) throws -> Bool {
        // In JSON Schema the end is not before a line end.
        let pattern = try NSRegularExpression(pattern: (rule.pattern ?? "").replacing("$", with: #"\z"#))
        let range = NSRange(text.startIndex..., in: text)
        return pattern.firstMatch(in: text, range: range) != nil
            && rule.length.contains(text.unicodeScalars.count)
    }

    private static let texts = [
        "", " ", "a", "7", "é", "山", "ab", "a ", "!", "!!", "!a", "a\n", "\u{301}", "\u{FF9E}", "№", "½",
        "¿?", "a\0b",
        "a\tb", "a\u{7F}", "job-1", "-job", "a.b_c", "Ann's books", "a/b", "👩‍👩‍👧", "0306406152", "9780306406157",
        "978-0-306-40615-7", "0-306-40615-2",
        String(repeating: "a", count: 64), String(repeating: "a", count: 65),
        String(repeating: "a", count: 255), String(repeating: "é", count: 256),
        String(repeating: "a", count: 500), String(repeating: "a", count: 501),
        String(repeating: "a", count: 1_000), String(repeating: "a", count: 1_001),
    ]

    @Test func `what is accepted is what is described`() throws {
        for rule in TextRule.allCases where rule.pattern != nil {
            for text in Self.texts {
                #expect(
                    try rule.accepts(text) == Self.matches(rule, text),
                    "\(rule): \(text.debugDescription.prefix(80))")
            }
        }
    }

    @Test func `an ISBN is described by its format, and accepted by its check digit`() {
        for text in ["0306406152", "9780306406157", "978-0-306-40615-7", "0 306 40615 2", "080442957X"] {
            #expect(TextRule.isbn.accepts(text), "\(text)")
        }
        for text in ["", "1", "9780306406158", "0000000000", "978030640615X7", "abcdefghij"] {
            #expect(!TextRule.isbn.accepts(text), "\(text)")
        }
        #expect(TextRule.isbn.format == "isbn" && TextRule.isbn.pattern == nil)
    }

    @Test func `words to search for have letters or digits of any script`() {
        for text in ["ab", "é", "山", "a ", "!a", "a\n", "\u{FF9E}", "№9", "½"] {
            #expect(TextRule.words.accepts(text) && TextRule.anyWords.accepts(text), "\(text)")
        }
        for text in [
            " ", "a", "7", "!", "!!", "\u{301}", "¿?", "a\0b", "👩‍👩‍👧", String(repeating: "a", count: 501),
        ] {
            #expect(!TextRule.words.accepts(text) && !TextRule.anyWords.accepts(text), "\(text)")
        }
        #expect(TextRule.anyWords.accepts("") && !TextRule.words.accepts(""))
    }

    @Test func `patterns are read alike by the engines of Python, Java and JavaScript`() {
        for rule in TextRule.allCases { #expect(rule.pattern?.contains(#"\p"#) != true, "\(rule)") }
    }

    @Test func `parameters that do not fit are refused with a sentence`() {
        #expect(Schema.whole(1...20).refusal(of: "20", in: "limit") == nil)
        for text in ["0", "21", "x", "", "1.0"] {
            #expect(
                Schema.whole(1...20).refusal(of: text, in: "limit")
                    == "The parameter limit must be a number from 1 to 20.")
        }
        #expect(Schema.names(["json", "csv"]).refusal(of: "csv", in: "format") == nil)
        #expect(
            Schema.names(["json", "csv"]).refusal(of: "pdf", in: "format")
                == "The parameter format must be json or csv.")
        #expect(Schema.boolean.refusal(of: "1", in: "warnings") != nil)
        #expect(Schema.boolean.refusal(of: "true", in: "warnings") == nil)
    }
}
