import Testing

@testable import Stages

@Suite struct TextChoiceTests {
    @Test func `what separates cells cannot enclose them, whichever is said first`() {
        for keys in [["delimiter", "quote"], ["quote", "delimiter"]] {
            var choice = TextChoice()
            #expect(choice.take(keys[0], ";"))
            #expect(!choice.take(keys[1], ";"))
            #expect(choice.take(keys[1], "|"))
        }
        var choice = TextChoice()
        let isTaken = choice.take("quote", "none") && choice.take("delimiter", "tab")
        #expect(isTaken)
        #expect(!choice.take("quote", "\t"))
    }
}
