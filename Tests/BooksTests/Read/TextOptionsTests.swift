import Testing

@testable import Books

@Suite struct TextOptionsTests {
    /// Which of some words were taken, one after the other.
    private func taken(_ words: [(key: String, word: String)]) -> [Bool] {
        var choice = TextOptions()
        return words.map { choice.take($0.key, $0.word) }
    }

    @Test func `what separates cells cannot enclose them, whichever is said first`() {
        #expect(taken([("delimiter", ";"), ("quote", ";"), ("quote", "|")]) == [true, false, true])
        #expect(taken([("quote", ";"), ("delimiter", ";"), ("delimiter", "|")]) == [true, false, true])
        #expect(taken([("quote", "none"), ("delimiter", "tab"), ("quote", "\t")]) == [true, true, false])
    }
}
