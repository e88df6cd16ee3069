import Testing

@testable import CommandLineTool

@Suite struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("naïve", 5), ("nai\u{308}ve", 5), ("Žižek", 5), ("三体", 4), ("한국", 4), ("カナ", 4),
        ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("🇸🇪", 2), ("❤️", 2), ("a\u{200B}b", 2), ("קורא", 4),
        ("「a」", 5),
    ])
    func `the width is in terminal columns`(text: String, columns: Int) {
        #expect(TextWidth.columns(text) == columns)
    }

    @Test func `cutting never splits a character`() {
        #expect(TextWidth.cut("abcdef", to: 4) == "abc…")
        #expect(TextWidth.cut("abcd", to: 4) == "abcd")
        #expect(TextWidth.cut("三体問題", to: 4) == "三…")
        #expect(TextWidth.cut("👩‍👩‍👧👩‍👩‍👧", to: 3) == "👩‍👩‍👧…")
        #expect(TextWidth.cut("abc", to: 1) == "…")
        #expect(TextWidth.cut("abc", to: 0) == "")
    }

    @Test func `control characters are made visible`() {
        #expect(TextWidth.printable("a\u{1B}[2Jb") == "a\u{FFFD}[2Jb")
        #expect(TextWidth.printable("a\r\nb\tc") == "a  b c")
        #expect(TextWidth.printable("\u{202E}x\u{0}\u{9B}") == "\u{FFFD}x\u{FFFD}\u{FFFD}")
        #expect(TextWidth.printable("Žižek 三体") == "Žižek 三体")
    }
}

@Suite struct TableTests {
    private func table() -> Table {
        var table = Table(.init("Title"), .init("Pages", .right), .init("Note"))
        table.add("Dune", "604", "")
        table.add("三体", "1", "x\u{1B}y")
        return table
    }

    @Test func `columns are aligned by display width`() {
        #expect(
            table().render() == """
                Title  Pages  Note
                Dune     604
                三体       1  x\u{FFFD}y

                """)
    }

    @Test func `headings are bold in colour`() {
        #expect(table().render(style: Style(isColored: true)).hasPrefix("\u{1B}[1mTitle\u{1B}[0m  "))
    }

    @Test func `wide text is cut, numbers are not`() {
        var table = Table(.init("Title"), .init("Records", .right))
        table.add(String(repeating: "long ", count: 30), "1,234,567,890,123")
        let text = table.render(width: 40)
        #expect(text.contains("…") && text.contains("1,234,567,890,123"))
        #expect(text.split(separator: "\n").allSatisfy { TextWidth.columns(String($0)) <= 40 })
        #expect(!table.render().contains("…"))
    }

    @Test func `the smallest width still shows something`() {
        #expect(table().render(width: 1).contains("604"))
    }

    @Test func `missing cells are empty`() {
        var table = Table(.init("A"), .init("B"))
        table.add("x")
        #expect(table.render() == "A  B\nx\n")
    }

    @Test func `optional columns are left out of a table that is too wide, the last one first`() {
        var table = Table(
            .init("id", isNeverCut: true), .init("first", isOptional: true), .init("title"),
            .init("second", isOptional: true))
        table.add("one", "aaaaaaaa", "A title", "bbbbbbbb")
        table.add("two", "", "Another", "")
        #expect(table.render(width: 33).hasPrefix("id   first     title    second\n"))
        #expect(
            table.render(width: 26) == """
                id   first     title
                one  aaaaaaaa  A title
                two            Another

                """)
        #expect(table.render(width: 14).hasPrefix("id   title\none  A title\n"))
        // With each value on its own line there is room for all.
        #expect(table.render(width: 8).contains("bbbbbbbb"))
    }

    @Test func `a column that is useless when cut is kept whole, however narrow the terminal`() {
        var table = Table(.init("job", isNeverCut: true), .init("input"), .init("records", .right))
        let name = "0f8fad5b-d9cb-469f-a165-70867728950e"
        table.add(name, String(repeating: "long ", count: 20), "1234567")
        let text = table.render(width: 80)
        #expect(text.contains(name))
        #expect(text.contains("1234567"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(table.render(width: 30).contains(name))
    }

    @Test func `if the numbers alone are too wide each value has its own line`() {
        var table = Table(.init("stage"), .init("records", .right), .init("rejected", .right), .init("why"))
        table.add("ReadLibrary", "1,234,567", "12", "some words that are too many for a line")
        table.add("WriteResults", "1", "", "")
        #expect(
            table.render(width: 24) == """
                stage     ReadLibrary
                records   1,234,567
                rejected  12
                why       some words
                          that are too
                          many for a
                          line

                stage     WriteResults
                records   1

                """)
    }

    @Test func `a wrapped column shows every word`() {
        var table = Table(.init("code", isNeverCut: true), .init("reason", wraps: true))
        table.add("no_title", "The row has neither a title nor an ISBN.")
        #expect(
            table.render(width: 30) == """
                code      reason
                no_title  The row has neither
                          a title nor an ISBN.

                """)
    }

    @Test func `a table without rows is empty`() {
        #expect(Table(.init("A")).render().isEmpty)
        #expect(Table(.init("A")).render(width: 1).isEmpty)
    }
}
