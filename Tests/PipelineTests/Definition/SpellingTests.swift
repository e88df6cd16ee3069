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

    @Test func aBeginningIsEnoughWhereOnlyOneNameHasIt() {
        #expect(Spelling.nearest(to: "imp", among: ["import", "inspect", "isbn"]) == "import")
        #expect(Spelling.nearest(to: "in", among: ["import", "inspect", "interval"]) == nil)
        #expect(Spelling.nearest(to: "i", among: ["import"]) == nil)
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
