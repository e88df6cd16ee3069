import Testing

@testable import CommandLineTool

@Suite struct DefinitionListTests {
    private static let list = {
        var list = DefinitionList()
        list.add("title", "The Left Hand of Darkness", remarks: ["openlibrary OL1M: It is the longest."])
        list.add("year", "1969", remarks: [])
        return list
    }()

    @Test func `without a width nothing is wrapped`() {
        #expect(
            Self.list.render() == """
                title  The Left Hand of Darkness
                       openlibrary OL1M: It is the longest.
                year   1969

                """)
    }

    @Test func `words wrap to the next line under the definition`() {
        #expect(
            Self.list.render(width: 31) == """
                title  The Left Hand of
                       Darkness
                       openlibrary OL1M: It is
                       the longest.
                year   1969

                """)
    }

    @Test(arguments: 24...80)
    func `no line exceeds the width unless a single word does`(width: Int) {
        let lines = Self.list.render(width: width + 7).split(separator: "\n")
        #expect(lines.allSatisfy { TextWidth.columns(String($0)) <= width + 7 })
    }

    @Test func `an overlong word gets its own line`() {
        #expect(TextWidth.wrap("a " + String(repeating: "x", count: 40) + " b", at: 30).count == 3)
    }

    @Test func `a command in backquotes stays on one line`() {
        #expect(
            TextWidth.wrap("Then run `etl errors --format csv JOB` again.", at: 24)
                == ["Then run", "`etl errors --format csv JOB`", "again."])
        #expect(TextWidth.wrap("one ` two three", at: 9) == ["one ` two", "three"])
    }

    @Test func `a term that is too wide has a line of its own`() {
        var list = DefinitionList(widestTerm: 6)
        list.add("etl a", "one")
        list.add("etl b --json", "two")
        #expect(list.render() == "etl a  one\netl b --json\n       two\n")
    }

    @Test func `wide characters count twice`() {
        #expect(TextWidth.wrap("密やかな 結晶です", at: 8) == ["密やかな", "結晶です"])
    }

    @Test func `control characters are not written`() {
        var list = DefinitionList()
        list.add("a\u{1B}[2J", "b\u{7}", remarks: ["c\r"])
        #expect(!list.render().unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
}
