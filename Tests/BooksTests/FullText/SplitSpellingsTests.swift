import Testing

@testable import Books
@testable import Bytes

@Suite struct SplitSpellingsTests {
    @Test(arguments: [
        ("jrr", "j r r"), ("cs", "c s"), ("žš", "ž š"), ("j", nil), ("jrrtt", nil), ("u2", nil), ("村上", nil),
    ])
    func `a short word may be initials`(word: String, initials: String?) {
        #expect(SplitSpellings.initials(word) == initials)
    }

    @Test(arguments: [
        ("u s a", ["u s a"]), ("j r r tolkien", ["j r r", "tolkien"]),
        ("flann o brien", ["flann", "o brien"]),
        ("brien o", ["brien", "o"]), ("the hobbit", ["the", "hobbit"]), ("2 b", ["2", "b"]), ("", []),
    ])
    func `letters are a group of words`(text: String, groups: [String]) {
        let words = text.split(separator: " ").map(String.init)
        #expect(SplitSpellings.groups(of: words).map { $0.joined(separator: " ") } == groups)
    }

    @Test func `scripts without blanks are told`() {
        for word in ["村上", "ノルウェイ", "한강", "あ"] { #expect(SplitSpellings.isRun(Folding.fold(word))) }
        for word in ["hobbit", "толстой", "", "1984"] { #expect(!SplitSpellings.isRun(Folding.fold(word))) }
    }
}
