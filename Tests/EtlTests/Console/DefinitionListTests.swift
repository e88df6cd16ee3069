import Testing

@testable import etl

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

    @Test func `within a width words move to the next line under the definition`() {
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
    func `no line is wider than asked unless one word is`(width: Int) {
        let lines = Self.list.render(width: width + 7).split(separator: "\n")
        #expect(lines.allSatisfy { TextWidth.columns(String($0)) <= width + 7 })
    }

    @Test func `a word that is too long stands alone`() {
        #expect(DefinitionList.wrap("a " + String(repeating: "x", count: 40) + " b", at: 30).count == 3)
    }

    @Test func `wide characters count twice`() {
        #expect(DefinitionList.wrap("密やかな 結晶です", at: 8) == ["密やかな", "結晶です"])
    }

    @Test func `control characters reach no terminal`() {
        var list = DefinitionList()
        list.add("a\u{1B}[2J", "b\u{7}", remarks: ["c\r"])
        #expect(!list.render().unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
}
