import Testing

@testable import Pipeline

@Suite struct SpellingTests {
    @Test(arguments: [
        ("goodread", "goodreads"), ("stroygraph", "storygraph"), ("Good-Reads", "goodreads"),
        ("calibra", "calibre"),
    ])
    func `the nearest name is suggested`(written: String, meant: String) {
        #expect(Spelling.nearest(to: written, among: ["goodreads", "storygraph", "calibre"]) == meant)
    }

    @Test func `a prefix is enough if only one name starts with it`() {
        #expect(Spelling.nearest(to: "imp", among: ["import", "inspect", "isbn"]) == "import")
        #expect(Spelling.nearest(to: "in", among: ["import", "inspect", "interval"]) == nil)
        #expect(Spelling.nearest(to: "i", among: ["import"]) == nil)
    }

    @Test(arguments: ["", "xyz", "json", String(repeating: "a", count: 10_000)])
    func `text that is near no name gets no suggestion`(written: String) {
        #expect(Spelling.nearest(to: written, among: ["goodreads", "storygraph", "calibre"]) == nil)
    }

    @Test func `without a suggestion all names are listed`() {
        #expect(
            Spelling.advice(for: "zzz", among: ["a", "b"], called: "There are") == "There are: `a`, `b`.")
        #expect(Spelling.advice(for: "zzz", among: [], called: "There are") == nil)
    }
}
