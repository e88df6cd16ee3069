import System
import Testing

@testable import Books

@Suite struct LibraryFieldsTests {
    @Test func `each field has its own bit`() {
        #expect(LibraryField.allCases.allSatisfy { $0.rawValue < UInt64.bitWidth })
        for field in LibraryField.allCases {
            var fields = LibraryFields()
            #expect(fields.isEmpty)
            fields.insert(field)
            #expect(!fields.isEmpty)
            #expect(LibraryField.allCases.filter { fields.contains($0) } == [field])
        }
    }
}

@Suite
struct LanguagesTests {
    @Test(
        arguments: [
            ("/languages/eng", "en"), ("eng", "en"), ("ENG", "en"), ("ger", "de"), ("deu", "de"),
            ("/l/fre", "fr"),
            ("chi", "zh"), ("cmn", "zh"), ("scc", "sr"), ("en", "en"), ("en-GB", "en"), ("pt_BR", "pt"),
            ("zh-CN", "zh"),
            ("und", nil), ("mul", nil), ("zxx", nil), ("", nil), ("/", nil), ("/languages/", nil),
            ("un", nil),
            ("english", nil), ("e", nil), ("en1", nil), ("grc", nil), ("ëng", nil), ("eng ", nil),
        ] as [(String, String?)])
    func `library language codes map to two letters`(code: String, expected: String?) {
        #expect(Languages.twoLetters(code) == expected)
    }
}

@Suite struct StarRatingTests {
    private func read(_ text: String) -> StarRating.Reading {
        Array(text.utf8).withUnsafeBytes { StarRating.read($0) }
    }

    @Test(arguments: ["0", "4", "3.75", "0.0", "5.0"])
    func `plain numbers stay unchanged`(text: String) {
        #expect(read(text) == .plain)
    }

    @Test(arguments: [
        ("4,5", 4.5), (" 4 ", 4), ("4/5", 4), ("8/10", 4), ("7/10", 3.5), ("75/100", 3.75), ("★★★★☆", 4),
        ("⭐⭐", 2), ("★★★½", 3.5), ("4 stars", 4), ("1 star", 1),
    ])
    func `other notations of stars are converted to the same scale`(text: String, stars: Double) {
        #expect(read(text) == .stars(stars))
    }

    @Test(arguments: ["", "  ", "-", "0/5", "☆☆☆"])
    func `empty ratings are absent`(text: String) {
        #expect(read(text) == .absent)
    }

    @Test(arguments: ["85", "-1", "5.25", "good", "6/5", "4/0", "nan", "1e1", "4/5/6", "★★★★★★", "1.2.3"])
    func `other values are reported as damaged`(text: String) {
        #expect(read(text) == .damaged)
    }
}

@Suite
struct ReasonCodeTests {
    @Test(arguments: ReasonCode.allCases)
    func `each reason code has a stable spelling, a sentence and advice`(reason: ReasonCode) {
        #expect(reason.code.allSatisfy { $0 == "_" || ($0.isASCII && ($0.isLowercase || $0.isNumber)) })
        #expect(reason.sentence.hasSuffix("."))
        #expect(reason.advice.description.hasSuffix("."))
        #expect(Warning(reason).code == reason.code)
        #expect(Warning(reason).message == reason.sentence)
    }
}
