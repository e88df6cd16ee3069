import Books
import Testing

@Suite("Languages become ISO 639-1")
struct LanguagesTests {
    @Test(
        "Codes of libraries map to two letters",
        arguments: [
            ("/languages/eng", "en"), ("eng", "en"), ("ENG", "en"), ("ger", "de"), ("deu", "de"),
            ("/l/fre", "fr"),
            ("chi", "zh"), ("cmn", "zh"), ("scc", "sr"), ("en", "en"), ("en-GB", "en"), ("pt_BR", "pt"),
            ("zh-CN", "zh"),
            ("und", nil), ("mul", nil), ("zxx", nil), ("", nil), ("/", nil), ("/languages/", nil),
            ("un", nil),
            ("english", nil), ("e", nil), ("en1", nil), ("grc", nil), ("ëng", nil), ("eng ", nil),
        ] as [(String, String?)])
    func maps(code: String, expected: String?) {
        #expect(Languages.twoLetters(code) == expected)
    }
}
