import Testing

@testable import Pipeline

@Suite struct SpellingTests {
    @Test(arguments: [
        ("goodread", "goodreads"), ("stroygraph", "storygraph"), ("Good-Reads", "goodreads"),
        ("calibra", "calibre"),
    ])
    func `the nearest name is guessed`(written: String, meant: String) {
        #expect(Spelling.nearest(to: written, among: ["goodreads", "storygraph", "calibre"]) == meant)
    }

    @Test func `a beginning is enough where only one name has it`() {
        #expect(Spelling.nearest(to: "imp", among: ["import", "inspect", "isbn"]) == "import")
        #expect(Spelling.nearest(to: "in", among: ["import", "inspect", "interval"]) == nil)
        #expect(Spelling.nearest(to: "i", among: ["import"]) == nil)
    }

    @Test(arguments: ["", "xyz", "json", String(repeating: "a", count: 10_000)])
    func `what is near nothing is left alone`(written: String) {
        #expect(Spelling.nearest(to: written, among: ["goodreads", "storygraph", "calibre"]) == nil)
    }

    @Test func `without a guess the whole list is told`() {
        #expect(
            Spelling.advice(for: "zzz", among: ["a", "b"], called: "There are") == "There are: `a`, `b`.")
        #expect(Spelling.advice(for: "zzz", among: [], called: "There are") == nil)
    }
}
