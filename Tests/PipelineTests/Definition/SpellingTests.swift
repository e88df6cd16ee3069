import Testing

@testable import Pipeline

@Suite struct SpellingTests {
    @Test(arguments: [
        ("goodread", "goodreads"), ("stroygraph", "storygraph"), ("Good-Reads", "goodreads"),
        ("calibra", "calibre"),
    ])
    func theNearestNameIsGuessed(written: String, meant: String) {
        #expect(Spelling.nearest(to: written, among: ["goodreads", "storygraph", "calibre"]) == meant)
    }

    @Test(arguments: ["", "xyz", "json", String(repeating: "a", count: 10_000)])
    func whatIsNearNothingIsLeftAlone(written: String) {
        #expect(Spelling.nearest(to: written, among: ["goodreads", "storygraph", "calibre"]) == nil)
    }

    @Test func withoutAGuessTheWholeListIsTold() {
        #expect(
            Spelling.advice(for: "zzz", among: ["a", "b"], called: "There are") == "There are: `a`, `b`.")
        #expect(Spelling.advice(for: "zzz", among: [], called: "There are") == nil)
    }
}
