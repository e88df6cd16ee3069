import Testing

@testable import etl

@Suite struct DefinitionListTests {
    private static let list = {
        var list = DefinitionList()
        list.add("title", "The Left Hand of Darkness", remarks: ["openlibrary OL1M: It is the longest."])
        list.add("year", "1969", remarks: [])
        return list
    }()

    @Test func withoutAWidthNothingIsWrapped() {
        #expect(
            Self.list.render() == """
                title  The Left Hand of Darkness
                       openlibrary OL1M: It is the longest.
                year   1969

                """)
    }

    @Test func withinAWidthWordsMoveToTheNextLineUnderTheDefinition() {
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
    func noLineIsWiderThanAskedUnlessOneWordIs(width: Int) {
        let lines = Self.list.render(width: width + 7).split(separator: "\n")
        #expect(lines.allSatisfy { TextWidth.columns(String($0)) <= width + 7 })
    }

    @Test func aWordThatIsTooLongStandsAlone() {
        #expect(DefinitionList.wrap("a " + String(repeating: "x", count: 40) + " b", at: 30).count == 3)
    }

    @Test func wideCharactersCountTwice() {
        #expect(DefinitionList.wrap("密やかな 結晶です", at: 8) == ["密やかな", "結晶です"])
    }

    @Test func controlCharactersReachNoTerminal() {
        var list = DefinitionList()
        list.add("a\u{1B}[2J", "b\u{7}", remarks: ["c\r"])
        #expect(!list.render().unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
}
