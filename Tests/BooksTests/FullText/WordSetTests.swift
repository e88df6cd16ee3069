import Testing

@testable import Books

@Suite struct WordSetTests {
    @Test func `several words are held behind each other only`() {
        let held = WordSet("tolkien j r r")
        #expect(held.holds("j r r") && held.holds("tolkien") && held.count == 3)
        #expect(!held.holds("j r tolkien") && !held.holds("tolk") && !held.holds("en j"))
        for word in ["tolkien", "j", "r"] { #expect(WordSet.text("tolkien j r r", holds: word[...])) }
        for word in ["tolk", "en", "k"] { #expect(!WordSet.text("tolkien j r r", holds: word[...])) }
        #expect(WordSet("").count == 0)
    }
}
